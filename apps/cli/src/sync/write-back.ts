import { createHash } from "node:crypto";
import { lstat, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { canonicalJson, Fault } from "@bulkhead/core";
import { readPackage, requestOf } from "@bulkhead/tools/folders";
import type { ToolFolder } from "@bulkhead/client";
import { readText, RefusedFile } from "../folders/read-file.ts";
import { readManifestFolder } from "../folders/read-manifest-folder.ts";
import type { ToolRecord } from "../folders/loaded-folder.ts";
import { recordOf } from "../folders/tool-record.ts";
import { writeWhole } from "../settings/write-whole.ts";

/** What came of writing a tool into the folder. */
type Written =
  | { outcome: "written"; file: string; mine: string }
  /** One sentence without its subject. */
  | { outcome: "left"; why: string };

interface WriteBack {
  /** A real path; nothing outside of it is written. */
  root: string;
  /** The tool's folder below it; "" is the root itself. */
  folder: string;
  /** The hash of what stands there and is replaced; null: no such folder may be there. */
  replaced: string | null;
  /** As the server gives it. */
  files: ToolFolder;
  /** Not written down: whoever reads the folder says it. */
  owner: string | undefined;
}

const left = (why: string): Written => ({ outcome: "left", why });

/** Of a tool's name, with its id behind it; both are the server's words. */
const NEW_FOLDER = /^\w+(?:@[\w-]+)?$/;

/**
 * Writes a tool's folder as an import takes it: each file whole, through no link, over nothing that is not as it was synced. What
 * the server sends is read as an import reads it before anything is written.
 */
export async function writeBack({ root, folder, replaced, files: sent, owner }: WriteBack): Promise<Written> {
  const read = readSent(folder === "" ? "tool" : folder, sent, owner);
  if (typeof read === "string") return left(read);
  const { files, record } = read;
  const path = join(root, folder);
  if (relative(root, path).split(/[\\/]/)[0] === "..") return left("it lies outside of the folder");
  const codeFile = ["tool.ts", "tool.js"].find((one) => files.has(one)) ?? "manifest.json";
  const file = folder === "" ? codeFile : `${folder}/${codeFile}`;
  const done: Written = { outcome: "written", file, mine: hashOf(record) };
  if (replaced === null) {
    if (!NEW_FOLDER.test(folder)) return left("its name can't be that of a folder");
    if ((await realpath(dirname(path))) !== dirname(path)) return left("the folder around it is a link");
    try {
      await mkdir(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return left(`there is a folder or file ${folder} already; rename it first`);
    }
    for (const [name, text] of files) await writeNew(join(path, name), text);
    return done;
  }
  const strange = await strangeIn(path);
  if (strange !== null) return left(strange);
  const now = await readManifestFolder(root, folder, folder, () => undefined);
  if (now === null || now.module !== null || hashOf(now.record) !== replaced)
    return left("it was changed here just now");
  for (const [name, text] of files)
    if (!(await isSame(join(path, name), text))) await writeWhole(join(path, name), text);
  for (const name of filesOf(now.record, now.file))
    if (!files.has(name)) await rm(join(path, name), { force: true });
  return done;
}

async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { flag: "wx" });
}

/** Whether a file says the same; JSON may be written in other ways, which are its owner's. */
async function isSame(path: string, text: string): Promise<boolean> {
  try {
    const there = await readText(path);
    return path.endsWith(".json") ? isDeepStrictEqual(JSON.parse(there), JSON.parse(text)) : there === text;
  } catch (error) {
    if (error instanceof RefusedFile || error instanceof SyntaxError) return false;
    throw error;
  }
}

/** A link in the place of a folder would be written through. */
async function strangeIn(path: string): Promise<string | null> {
  if ((await realpath(path)) !== path) return "its folder is a link";
  const examples = await lstat(join(path, "examples")).catch(() => null);
  return examples === null || examples.isDirectory() ? null : "its examples are no folder";
}

/** The files as they are written, and the record that a load makes of them; or why there can be none. */
function readSent(
  folder: string,
  sent: ToolFolder,
  owner: string | undefined,
): { files: Map<string, string>; record: ToolRecord } | string {
  const { agentId, ...manifest } = sent["manifest.json"];
  const said = agentId === undefined || agentId === owner ? manifest : { ...manifest, agentId };
  const whole = { ...sent, "manifest.json": said };
  try {
    const pack = readPackage(folder, whole, JSON.parse);
    const record = recordOf(requestOf(folder, pack));
    const files = new Map([["manifest.json", jsonText(said)]]);
    if (pack.code !== "") files.set(pack.language === "typescript" ? "tool.ts" : "tool.js", pack.code);
    if (pack.approvalCode !== undefined) files.set("approval.js", pack.approvalCode);
    if (pack.readme !== undefined) files.set("README.md", pack.readme);
    for (const [name, example] of Object.entries(pack.examples ?? {}))
      files.set(join("examples", name), jsonText(example));
    return { files, record };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `the server's folder is not valid: ${error.detail}`;
  }
}

/** The files that a record was read of, besides its manifest. */
function filesOf({ metadata, approvalCode }: ToolRecord, file: string): string[] {
  const kept = (metadata?.["package"] ?? {}) as { readme?: unknown; examples?: object };
  return [
    file.split("/").at(-1) ?? "tool.js",
    ...(approvalCode === undefined ? [] : ["approval.js"]),
    ...(kept.readme === undefined ? [] : ["README.md"]),
    ...Object.keys(kept.examples ?? {}).map((name) => join("examples", name)),
  ];
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** As the hash of a loaded tool: whose it is stands in its key. */
export function hashOf(record: ToolRecord): string {
  const { agentId: _, ...said } = record;
  return createHash("sha256").update(canonicalJson(said)).digest("hex");
}
