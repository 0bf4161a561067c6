import { Fault, type FaultDetail } from "@bulkhead/core";
import { readPackage, requestOf } from "@bulkhead/tools/folders";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { EXAMPLES_MAX } from "@bulkhead/contracts";
import { compare, frameOf, type TellFault } from "./fault-list.ts";
import { MANIFEST_FILES } from "./find-units.ts";
import type { DependsOn } from "./depends-on.ts";
import type { ToolRecord } from "./loaded-folder.ts";
import { linkRefused, readBounded, RefusedFile } from "./read-file.ts";
import { recordOf } from "./tool-record.ts";

const CODE_FILES = ["tool.ts", "tool.js"];
/** A module that takes something from another is bundled; a function body has no such line. */
const IMPORT_LINE = /^import[\s{*"']/m;

/** A tool's folder as it is written; `module` is its code's file where that has to be bundled first. */
export interface ManifestTool {
  record: ToolRecord;
  file: string;
  module: string | null;
}

/** Reads a folder with a manifest as an import does. Null where it is at fault, which was told. */
export async function readManifestFolder(
  root: string,
  folder: string,
  name: string,
  tell: TellFault,
): Promise<ManifestTool | null> {
  const files = new Map<string, unknown>();
  let failed = false;
  const read = async (file: string): Promise<Buffer | null> => {
    try {
      return await readBounded(join(root, folder, file));
    } catch (error) {
      if (!(error instanceof RefusedFile)) throw error;
      failed = true;
      tell({ code: error.code, file: joined(folder, file), message: error.message });
      return null;
    }
  };
  const { plain, examples, hasLink } = await listFiles(join(root, folder));
  if (hasLink) {
    failed = true;
    tell({ code: "file.link", file: joined(folder, "examples"), message: linkRefused().message });
  }
  for (const file of plain) files.set(file, await read(file));
  if (examples !== null) {
    const contents: Record<string, unknown> = {};
    for (const file of examples) contents[file] = await read(`examples/${file}`);
    files.set("examples", contents);
  }
  if (failed) return null;
  try {
    const pack = readPackage(name, Object.fromEntries(files), parseJson);
    const record = recordOf(requestOf(name, pack));
    const file = CODE_FILES.find((each) => files.has(each)) ?? "manifest.json";
    return { record, file: joined(folder, file), module: IMPORT_LINE.test(pack.code) ? file : null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    for (const detail of error.errors) tellAt(detail, { folder, name, files, tell });
    return null;
  }
}

/** What its tool depends on, also what is not there. */
export async function filesOf(path: string): Promise<DependsOn> {
  const { examples } = await listFiles(path);
  const inIt = [...MANIFEST_FILES, ...(examples ?? []).map((name) => join("examples", name))];
  return {
    files: inIt.map((file) => join(path, file)),
    folders: [join(path, "examples")],
    times: [],
  };
}

interface Listed {
  plain: string[];
  examples: string[] | null;
  /** Whether the examples are a link, which is not followed. */
  hasLink: boolean;
}

/** Of a tool's folder only these are read; `node_modules` and what else a developer has there stays. */
async function listFiles(path: string): Promise<Listed> {
  const plain: string[] = [];
  let examples: string[] | null = null;
  let hasLink = false;
  for await (const entry of await opendir(path)) {
    const { name } = entry;
    if (name === "examples") {
      // What a link leads to may be anybody's, a folder of keys among it.
      hasLink = entry.isSymbolicLink();
      examples = hasLink ? null : await listExamples(join(path, name));
    } else if (MANIFEST_FILES.includes(name)) plain.push(name);
  }
  return { plain: plain.toSorted(compare), examples, hasLink };
}

/** One more than may be there, so that too many are told. */
async function listExamples(path: string): Promise<string[] | null> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(path)) {
      if (!name.startsWith(".") && names.push(name) > EXAMPLES_MAX) break;
    }
  } catch {
    // What is no folder is read as a file, and told as what it is.
    return ["."];
  }
  return names.toSorted(compare);
}

interface Told {
  folder: string;
  name: string;
  files: ReadonlyMap<string, unknown>;
  tell: TellFault;
}

/** A fault of an import names `folder/file: field`; here it gets the line where the file has the field. */
function tellAt({ path, message }: FaultDetail, { folder, name, files, tell }: Told): void {
  const place = path.startsWith(`${name}/`) ? path.slice(name.length + 1) : path;
  const [file = "", field = ""] = place.split(": ");
  const bytes = files.get(file);
  const text = bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : "";
  const at = placeIn(text, field, message);
  tell({
    code: "manifest.invalid",
    file: joined(folder, file),
    message: field === "" ? message : `${field} ${message}`,
    ...(at && { ...at, frame: frameOf(text, at.line) }),
  });
}

/** Where each part of the field's path comes one after the other; the parser's own place where the text is no JSON. */
function placeIn(text: string, field: string, message: string): { line: number; column: number } | null {
  const said = /line (\d+),? column (\d+)/.exec(message);
  if (said) return { line: Number(said[1]), column: Number(said[2]) };
  let at = -1;
  for (const part of field === "" ? [] : field.split(".")) {
    const next = text.indexOf(JSON.stringify(part), at + 1);
    if (next < 0) break;
    at = next;
  }
  if (at < 0) return null;
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `is no JSON: ${error instanceof Error ? error.message : String(error)}`;
    throw new Fault("request.invalid", {
      detail: `It ${message}.`,
      errors: [{ path: "", message }],
      cause: error,
    });
  }
}

const joined = (folder: string, file: string): string => (folder === "" ? file : `${folder}/${file}`);
