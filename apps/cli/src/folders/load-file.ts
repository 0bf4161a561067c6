import { realpath, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { loadUnits, UnreadableFolder } from "./load-folder.ts";
import type { LoadedFolder } from "./loaded-folder.ts";
import { type LoadOptions, withLoader } from "./loader.ts";
import { messageOf } from "./read-file.ts";

/**
 * The tools that one module exports, whatever it is called; files that it imports lie in its folder, or in `within`. A tool that
 * says nothing of approvals leaves them to the tenant's settings. Throws `UnreadableFolder`.
 */
export async function loadFile(path: string | URL, options: LoadOptions = {}): Promise<LoadedFolder> {
  const file = await fileAt(path);
  const find = () => [{ kind: "module" as const, file: basename(file) }];
  return withLoader(options, (loader) => loadUnits(dirname(file), options, loader, find));
}

async function fileAt(given: string | URL): Promise<string> {
  const path = given instanceof URL || given.startsWith("file:") ? fileURLToPath(given) : given;
  try {
    const real = await realpath(path);
    if ((await stat(real)).isFile()) return real;
  } catch (error) {
    throw new UnreadableFolder(`${path} can't be read: ${messageOf(error)}`, { cause: error });
  }
  throw new UnreadableFolder(`${path} is no file`);
}
