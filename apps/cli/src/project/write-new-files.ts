import { lstat, mkdir, open, rm, rmdir } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { usageFault } from "../faults/cli-fault.ts";

/** What was written, and what was there and stays as it is; both in the order of the files. */
export interface WrittenFiles {
  written: string[];
  kept: string[];
}

/**
 * Writes those files that are not there yet. The folder is an absolute path and made where it is missing; the files' paths have
 * `/` and lie below it. No file is written over, and nothing is written through a link. Where one can't be written, what this
 * call has made is removed again, and a fault says which and why.
 */
export async function writeNewFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<WrittenFiles> {
  const done: WrittenFiles = { written: [], kept: [] };
  const folders: string[] = [];
  try {
    folders.push(...(await makeFolder(folder)));
    for (const [path, text] of files) {
      for (const inner of foldersOf(path)) folders.push(...(await makeOwnFolder(join(folder, inner))));
      done[(await writeNew(join(folder, path), text)) ? "written" : "kept"].push(path);
    }
    return done;
  } catch (error) {
    for (const path of done.written) await rm(join(folder, path), { force: true });
    // One into which somebody else has written meanwhile stays.
    for (const made of folders.toReversed()) await rmdir(made).catch(() => undefined);
    throw error;
  }
}

/** `a` and `a/b` for `a/b/c.json`. */
function foldersOf(path: string): string[] {
  const above = posix.dirname(path);
  return above === "." ? [] : [...foldersOf(above), above];
}

async function makeOwnFolder(path: string): Promise<string[]> {
  const made = await makeFolder(path);
  if ((await lstat(path)).isDirectory()) return made;
  throw usageFault(
    `${path} is a link, and nothing is written through links.`,
    "Put the folder itself there.",
  );
}

/** Those that were made, from the top. */
async function makeFolder(path: string): Promise<string[]> {
  const first = await mkdir(path, { recursive: true }).catch((error: Error) => unwritable(path, error));
  return first === undefined ? [] : fromTo(first, path);
}

/** Each folder from one to another in it. */
const fromTo = (first: string, last: string): string[] =>
  first === last ? [last] : [...fromTo(first, dirname(last)), last];

/** Whether it was not there. A link is there, wherever it leads. */
async function writeNew(path: string, text: string): Promise<boolean> {
  const file = await open(path, "wx").catch((error: NodeJS.ErrnoException) =>
    error.code === "EEXIST" ? null : unwritable(path, error),
  );
  if (file === null) return false;
  try {
    await file.writeFile(text);
    return true;
  } catch (error) {
    await rm(path, { force: true });
    return unwritable(path, error as Error);
  } finally {
    await file.close();
  }
}

function unwritable(path: string, error: Error): never {
  throw usageFault(`${path} can't be written: ${error.message}.`, "Name another folder.");
}
