import type { TypeStripper } from "@bulkhead/core";
import { openTypeStripper } from "@bulkhead/tools/types";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { MODULES_AT_ONCE, STRIPPED_AT_ONCE, TOOLS_MAX } from "./bounds.ts";
import { type FoundFault, inOrder, type TellFault, wholeFault } from "./fault-list.ts";
import { findUnits, type Unit } from "./find-units.ts";
import { allOf, NOTHING } from "./depends-on.ts";
import type { FolderFault, LoadedFolder, LoadedTool } from "./loaded-folder.ts";
import type { Loaded } from "./kept-tools.ts";
import { loadManifest } from "./load-manifest.ts";
import { loadModule } from "./load-module.ts";
import { sourceOf } from "./source-of.ts";
import { type ModuleCache, openModuleCache } from "./module-cache.ts";
import type { ModuleDeps } from "./module-source.ts";
import { messageOf, RefusedFile } from "./read-file.ts";
import { openPackageReader } from "./read-lock.ts";
import { readToolsets } from "./toolsets.ts";

export interface LoadOptions {
  /** The folder that files of modules may lie in, as a repository around the tools'; left out: the folder itself. */
  within?: string;
  /**
   * The folder, the user's alone, in which what was made of modules is kept between runs; left out: it is made anew. One that
   * can't be used is a warning.
   */
  cacheFolder?: string;
}

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
  return loadWith(path, options, await openCache(options));
}

/** What `loadFolder` keeps, for who loads a folder again and again. */
export interface OpenedCache {
  cache: ModuleCache;
  /** Told with each load. */
  faults: FoundFault[];
}

export async function openCache(options: LoadOptions): Promise<OpenedCache> {
  try {
    return { cache: await openModuleCache(options.cacheFolder), faults: [] };
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    return { cache: await openModuleCache(undefined), faults: [cacheFault(options, error.message)] };
  }
}

function cacheFault({ cacheFolder }: LoadOptions, why: string): FoundFault {
  const message = `what is made of modules is not kept in ${cacheFolder}: it ${why}`;
  return { severity: "warning", code: "cache.unusable", file: "", message };
}

export const loadWith = (path: string, options: LoadOptions, opened: OpenedCache): Promise<LoadedFolder> =>
  loadUnits(path, options, opened, findUnits);

/** Of a folder what `find` gives. */
export async function loadUnits(
  path: string,
  options: LoadOptions,
  opened: OpenedCache,
  find: typeof findUnits,
): Promise<LoadedFolder> {
  const started = performance.now();
  const faults: FolderFault[] = opened.faults.map(wholeFault);
  const tell: TellFault = (found) => void faults.push(wholeFault(found));
  const root = await folderAt(path);
  const within = options.within === undefined ? root : await folderAt(options.within);
  const durations = { readMs: 0, bundleMs: 0, describeMs: 0, totalMs: 0 };
  const units = unitsOf(path, () => find(root, tell));
  const threads = openTypeStripper();
  const stripper = inLanes(threads, STRIPPED_AT_ONCE);
  const kept = opened.cache.open();
  const deps: ModuleDeps = { root, within, packages: openPackageReader(), stripper, kept, durations, tell };
  durations.readMs = performance.now() - started;
  let loaded: Loaded[];
  try {
    loaded = await eachAtOnce(units, MODULES_AT_ONCE, (unit) => loadUnit(deps, unit));
    const unkept = await kept.close();
    if (unkept !== null) tell(cacheFault(options, `can't be written: ${unkept}`));
  } finally {
    await threads.close();
  }
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

/** What asks for more than the threads take waits here: there it would be refused after a while. */
function inLanes({ strip }: Pick<TypeStripper, "strip">, count: number): Pick<TypeStripper, "strip"> {
  const lanes = Array.from({ length: count }, (): Promise<unknown> => Promise.resolve());
  let asked = 0;
  return {
    strip(owner, code) {
      const lane = asked++ % count;
      const turn = (lanes[lane] as Promise<unknown>).then(() => strip(owner, code));
      lanes[lane] = turn.catch(() => undefined);
      return turn;
    },
  };
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
