import { performance } from "node:perf_hooks";
import type { MadeTool } from "./build-tool.ts";
import type { FoundFault } from "./fault-list.ts";
import type { LoadedTool } from "./loaded-folder.ts";
import type { DependsOn } from "./depends-on.ts";
import { hashOf } from "./marks.ts";
import type { KeptModule } from "./module-cache.ts";
import type { ModuleDeps } from "./module-source.ts";
import { programHash } from "./program-hash.ts";
import { placeFinder } from "./tool-code.ts";

/** The tools of a file, the files that they depend on, and all else that may make them others. */
export interface Loaded {
  tools: LoadedTool[];
  files: string[];
  dependsOn: DependsOn;
}

/** What decides, the files left out: where it is and how it is read, which names it, and what may change. */
interface Asked {
  id: readonly unknown[];
  given: readonly unknown[];
  /** Absolute; where its modules' paths begin. */
  resolveDir: string;
}

interface Made {
  /** Null where nothing could be made. */
  tools: MadeTool[] | null;
  files: string[];
  /** Asked when everything was read. */
  dependsOn: () => DependsOn;
}

/**
 * The tools as they were made before, where nothing that they depend on has changed. Where nothing could be made, it is tried
 * again each time: it may have been the machine's fault.
 */
export async function keptOrMade(
  deps: ModuleDeps,
  { id, given, resolveDir }: Asked,
  make: (tell: ModuleDeps["tell"]) => Promise<Made>,
): Promise<Loaded> {
  const { root, within } = deps;
  const key = {
    id: JSON.stringify([root, within, ...id]),
    given: hashOf(JSON.stringify([await programHash(), ...given])),
  };
  const started = performance.now();
  const kept = await deps.kept.find(key);
  if (kept !== null) {
    const { made, dependsOn } = kept;
    for (const fault of made.faults) deps.tell(fault as FoundFault);
    const tools = unpacked(made, { root, resolveDir }, performance.now() - started);
    return { tools, files: made.files, dependsOn };
  }
  const beganMs = Date.now();
  const faults: FoundFault[] = [];
  const { tools, files, dependsOn } = await make((fault) => {
    faults.push(fault);
    deps.tell(fault);
  });
  const on = dependsOn();
  if (tools !== null) {
    const packed = tools.map(({ record, from, packages, places }) => ({ record, from, packages, places }));
    await deps.kept.keep(key, on, { tools: packed, faults, files }, beganMs);
  }
  return { tools: tools ?? [], files, dependsOn: on };
}

function unpacked(
  { tools }: KeptModule,
  folders: Parameters<typeof placeFinder>[1],
  tookMs: number,
): LoadedTool[] {
  const durationMs = tookMs / Math.max(1, tools.length);
  return tools.map(({ places, ...tool }) => ({
    ...(tool as Pick<LoadedTool, "record" | "from" | "packages">),
    durationMs,
    placeOf: placeFinder(places, folders, tool.from.file),
  }));
}
