import type { TypeStripper } from "@bulkhead/core";
import { openTypeStripper } from "@bulkhead/tools/types";
import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { MODULES_AT_ONCE, STRIPPED_AT_ONCE, TOOLS_MAX } from "./bounds.ts";
import { checkToolCode } from "./check-tool-code.ts";
import { inOrder, type TellFault, wholeFault } from "./fault-list.ts";
import { findUnits, folderName, type Unit } from "./find-units.ts";
import type { FolderFault, LoadedFolder, LoadedTool } from "./loaded-folder.ts";
import { loadModule } from "./load-module.ts";
import type { ModuleDeps, ModuleSource } from "./module-source.ts";
import { messageOf, readText, RefusedFile } from "./read-file.ts";
import { openPackageReader } from "./read-lock.ts";
import { readManifestFolder } from "./read-manifest-folder.ts";
import { readToolsets } from "./toolsets.ts";

export interface LoadOptions {
  /** The folder that files of modules may lie in, as a repository around the tools'; left out: the folder itself. */
  within?: string;
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
  const started = performance.now();
  const faults: FolderFault[] = [];
  const tell: TellFault = (found) => void faults.push(wholeFault(found));
  const root = await folderAt(path);
  const within = options.within === undefined ? root : await folderAt(options.within);
  const durations = { readMs: 0, bundleMs: 0, describeMs: 0, totalMs: 0 };
  const units = await findUnits(root, tell).catch((error: unknown) => {
    throw new UnreadableFolder(`${path} can't be read: ${messageOf(error)}`, { cause: error });
  });
  const threads = openTypeStripper();
  const stripper = inLanes(threads, STRIPPED_AT_ONCE);
  const deps: ModuleDeps = { root, within, packages: openPackageReader(), stripper, durations, tell };
  durations.readMs = performance.now() - started;
  let loaded: Loaded[];
  try {
    loaded = await eachAtOnce(units, MODULES_AT_ONCE, (unit) => loadUnit(deps, unit));
  } finally {
    await threads.close();
  }
  const tools = unique(
    loaded.flatMap((one) => one.tools),
    tell,
  );
  durations.totalMs = performance.now() - started;
  const files = [...new Set(loaded.flatMap((one) => one.files))].toSorted();
  return { tools, faults: inOrder(faults), durations, files };
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

interface Loaded {
  tools: LoadedTool[];
  files: string[];
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
      default: {
        const loaded: Loaded[] = [];
        for (const source of await readToolsets(deps, unit.file)) loaded.push(await loadModule(deps, source));
        const files = [join(deps.root, unit.file), ...loaded.flatMap((one) => one.files)];
        return { tools: loaded.flatMap((one) => one.tools), files };
      }
    }
  } catch (error) {
    const file = "file" in unit ? unit.file : unit.folder;
    // A folder may go, or change, while it is read.
    if (error instanceof RefusedFile) deps.tell({ code: error.code, file, message: error.message });
    else if (isOfTheSystem(error))
      deps.tell({ code: "file.unreadable", file, message: `can't be read: ${messageOf(error)}` });
    else throw error;
    return { tools: [], files: [] };
  }
}

const isOfTheSystem = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && "code" in error;

async function sourceOf(
  { root }: ModuleDeps,
  file: string,
  choice: ModuleSource["choice"],
): Promise<ModuleSource> {
  const specifier = join(root, file);
  return { specifier, file, text: await readText(specifier), resolveDir: dirname(specifier), choice };
}

async function loadManifest(deps: ModuleDeps, folder: string): Promise<Loaded> {
  const started = performance.now();
  const found = await readManifestFolder(deps.root, folder, folderName(deps.root, folder), deps.tell);
  if (found === null) return { tools: [], files: [] };
  const { record, file, module } = found;
  if (module !== null) {
    const source = await sourceOf(deps, file, { from: "main" });
    return loadModule(deps, { ...source, record });
  }
  const from = { file, export: null };
  const placeOf: LoadedTool["placeOf"] = (line, column) => ({ file, line, column });
  const wrong = await checkToolCode(deps.stripper, record, from, placeOf, record.code);
  for (const fault of wrong) deps.tell(fault);
  if (wrong.length > 0) return { tools: [], files: [join(deps.root, file)] };
  const tool = { record, from, packages: [], durationMs: performance.now() - started, placeOf };
  return { tools: [tool], files: [join(deps.root, file)] };
}

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
