import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { MODULES_AT_ONCE, TOOLS_MAX } from "./bounds.ts";
import { inOrder, type TellFault, wholeFault } from "./fault-list.ts";
import { findUnits, type Unit } from "./find-units.ts";
import { allOf, NOTHING } from "./depends-on.ts";
import type { FolderFault, LoadedFolder, LoadedTool } from "./loaded-folder.ts";
import type { Loaded } from "./kept-tools.ts";
import { loadManifest } from "./load-manifest.ts";
import { loadModule } from "./load-module.ts";
import { cacheFault, type Loader, type LoadOptions, withLoader } from "./loader.ts";
import { sourceOf } from "./source-of.ts";
import type { ModuleDeps } from "./module-source.ts";
import { messageOf, RefusedFile } from "./read-file.ts";
import { openPackageReader } from "./read-lock.ts";
import { readToolsets } from "./toolsets.ts";

/** The folder itself can't be read; the message says which and why. */
export class UnreadableFolder extends Error {
  override readonly name = "UnreadableFolder";
}

/**
 * Every tool in a folder, in an order that depends on names alone, and all that keeps others from being one: a bad tool stops
 * no other. Nothing of it runs in this process; modules are evaluated in processes of their own, which reach nothing.
 * Throws `UnreadableFolder`.
 */
export async function loadFolder(path: string, options: LoadOptions = {}): Promise<LoadedFolder> {
  return withLoader(options, (loader) => loadWith(path, options, loader));
}

export const loadWith = (path: string, options: LoadOptions, loader: Loader): Promise<LoadedFolder> =>
  loadUnits(path, options, loader, findUnits);

/** Of a folder what `find` gives. */
export async function loadUnits(
  path: string,
  options: LoadOptions,
  loader: Loader,
  find: typeof findUnits,
): Promise<LoadedFolder> {
  const started = performance.now();
  const faults: FolderFault[] = loader.faults.map(wholeFault);
  const tell: TellFault = (found) => void faults.push(wholeFault(found));
  const root = await folderAt(path);
  const within = options.within === undefined ? root : await folderAt(options.within);
  const durations = { readMs: 0, bundleMs: 0, describeMs: 0, totalMs: 0 };
  const units = unitsOf(path, () => find(root, tell));
  const { stripper, describer } = loader;
  const packages = openPackageReader();
  const kept = loader.cache.open();
  const deps: ModuleDeps = { root, within, packages, stripper, describer, kept, durations, tell };
  durations.readMs = performance.now() - started;
  const loaded = await eachAtOnce(units, MODULES_AT_ONCE, (unit) => loadUnit(deps, unit));
  const unkept = await kept.close();
  if (unkept !== null) tell(cacheFault(options, `can't be written: ${unkept}`));
  const tools = unique(
    loaded.flatMap((one) => one.tools),
    tell,
  );
  durations.totalMs = performance.now() - started;
  const files = [...new Set(loaded.flatMap((one) => one.files))].toSorted();
  const dependsOn = allOf(loaded.map((one) => one.dependsOn));
  return { tools, faults: inOrder(faults), durations, files, dependsOn };
}

function unitsOf(path: string, find: () => Unit[]): Unit[] {
  try {
    return find();
  } catch (error) {
    throw new UnreadableFolder(`${path} can't be read: ${messageOf(error)}`, { cause: error });
  }
}

async function folderAt(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw new UnreadableFolder(`${path} can't be read: ${messageOf(error)}`, { cause: error });
  }
  throw new UnreadableFolder(`${path} is no folder`);
}

async function loadUnit(deps: ModuleDeps, unit: Unit): Promise<Loaded> {
  try {
    switch (unit.kind) {
      case "manifest":
        return await loadManifest(deps, unit.folder);
      case "definitions":
        return await loadModule(deps, await sourceOf(deps, unit.file, { from: "definitions" }));
      case "tools": {
        const approval = { default: "ask", tools: {} } as const;
        return await loadModule(deps, await sourceOf(deps, unit.file, { from: "all", approval }));
      }
      case "module":
        return await loadModule(deps, await sourceOf(deps, unit.file, { from: "all" }));
      default: {
        const loaded: Loaded[] = [];
        const { sources, files } = await readToolsets(deps, unit.file);
        for (const source of sources) loaded.push(await loadModule(deps, source));
        files.push(join(deps.root, unit.file), ...loaded.flatMap((one) => one.files));
        const own = { files: [join(deps.root, unit.file)], folders: [], times: [] };
        const dependsOn = allOf([own, ...loaded.map((one) => one.dependsOn)]);
        return { tools: loaded.flatMap((one) => one.tools), files, dependsOn };
      }
    }
  } catch (error) {
    const file = "file" in unit ? unit.file : unit.folder;
    // A folder may go, or change, while it is read.
    if (error instanceof RefusedFile) deps.tell({ code: error.code, file, message: error.message });
    else if (isOfTheSystem(error))
      deps.tell({ code: "file.unreadable", file, message: `can't be read: ${messageOf(error)}` });
    else if (error instanceof RangeError)
      deps.tell({ code: "file.too_large", file, message: "nests too deeply to be read" });
    else throw error;
    return { tools: [], files: [], dependsOn: NOTHING };
  }
}

const isOfTheSystem = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && "code" in error;

/** The first of a name and an owner, by the order of files; the others are told. */
function unique(tools: readonly LoadedTool[], tell: TellFault): LoadedTool[] {
  const taken = new Map<string, LoadedTool>();
  const kept = tools.filter((tool) => {
    const { name, alias, agentId } = tool.record;
    for (const one of new Set([name, alias ?? name])) {
      const key = JSON.stringify([agentId ?? null, one]);
      const other = taken.get(key);
      if (other) {
        const message = `is called ${one}, as the tool of ${other.from.file} is`;
        tell({ code: "name.taken", file: tool.from.file, export: tool.from.export, message });
        return false;
      }
      taken.set(key, tool);
    }
    return true;
  });
  if (kept.length <= TOOLS_MAX) return kept;
  tell({
    code: "folder.too_large",
    file: "",
    message: `holds more than ${TOOLS_MAX} tools; the rest is left out`,
  });
  return kept.slice(0, TOOLS_MAX);
}

/** In the order of the items, `count` at a time. */
async function eachAtOnce<T, U>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<U>,
): Promise<U[]> {
  const results: U[] = [];
  const left = items.entries();
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (const [at, item] of left) results[at] = await work(item);
    }),
  );
  return results;
}
