import { createHash, type Hash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { FILE_BYTES_MAX } from "../folders/bounds.ts";
import { compare } from "../folders/fault-list.ts";
import { findUnits, MANIFEST_FILES, type Unit } from "../folders/find-units.ts";
import { VERSION } from "../version.ts";

/** They say which packages a module finds, and how it is read. */
const PROJECT_FILES = [
  "package.json",
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "tsconfig.json",
  join("node_modules", ".package-lock.json"),
];

export interface FolderDigest {
  digest: string;
  /** When the last of the files was changed, by its own word. */
  newestMs: number;
}

/**
 * The SHA-256 of every file that a folder's tools are made of: those that its own names tell, those of `more` (relative to the
 * folder) that modules import, and what the projects around say of packages, up to `within`. Files are read one after the
 * other without a pause: thousands of small ones come so in a tenth of the time. Throws what `opendir` throws for the folder.
 */
export async function folderDigest(
  root: string,
  within: string,
  more: readonly string[],
): Promise<FolderDigest> {
  const units = await findUnits(root, () => undefined);
  const files = new Set([...units.flatMap((unit) => filesOf(root, unit)), ...more]);
  for (const folder of foldersUpTo(root, within))
    for (const file of PROJECT_FILES) files.add(relative(root, join(folder, file)));
  const hash = createHash("sha256").update(`${VERSION}\0`);
  const newest = [...files].toSorted(compare).map((file) => addFile(hash, root, file));
  return { digest: hash.digest("hex"), newestMs: newest.reduce((one, other) => Math.max(one, other), 0) };
}

function filesOf(root: string, unit: Unit): string[] {
  if ("file" in unit) return [unit.file];
  const examples = join(unit.folder, "examples");
  return [
    ...MANIFEST_FILES.map((file) => join(unit.folder, file)),
    ...namesIn(join(root, examples)).map((name) => join(examples, name)),
  ];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Without examples there is no such folder.
    return [];
  }
}

function foldersUpTo(root: string, within: string): string[] {
  const folders = [root];
  for (let folder = root; folder !== within && dirname(folder) !== folder;) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

/** What can't be read, as a link or a pipe, counts as that, and what is too large by its size and time. Gives its time. */
function addFile(hash: Hash, root: string, file: string): number {
  const { content, changedMs } = readPlain(join(root, file));
  hash.update(`${file}\0${typeof content === "string" ? content : content.length}\0`);
  if (typeof content !== "string") hash.update(content);
  return changedMs;
}

function readPlain(path: string): { content: Buffer | string; changedMs: number } {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    const { size, mtimeMs: changedMs } = stat;
    if (!stat.isFile()) return { content: "no file", changedMs };
    return { content: size > FILE_BYTES_MAX ? `${size} ${changedMs}` : readFileSync(descriptor), changedMs };
  } catch (error) {
    return { content: (error as NodeJS.ErrnoException).code ?? "unreadable", changedMs: 0 };
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
