import type { CapabilityName, ProvidedTool, WorkerDirectory } from "@bulkhead/core";
import { BUILT_IN_TOOLS, whyMissing } from "@bulkhead/tools/built-in";
import { hasEngine } from "./routes/access/me.ts";

/** What not every machine has: it is there while a worker says that it has it. Workers have all else. */
const OF_SOME_WORKERS: readonly CapabilityName[] = ["browser"];
const LOOK_MS = 3_000;

export interface WatchDeps {
  directory: Pick<WorkerDirectory, "list">;
  report: (what: string, error: unknown) => void;
}

/** The engines of this deployment at any moment, and the tools that come with the platform and work by them. */
export interface EnginesHere {
  hasEngine: (capability: CapabilityName) => boolean;
  /** Whether a worker says that it has it, be it a family or what its settings name. */
  workersHave: (engine: string) => boolean;
  /** One list, which changes as workers come and go. */
  readonly builtIns: readonly ProvidedTool[];
  close(): void;
}

/** Looks now and every few seconds. While the directory can't be reached, what was known last holds. */
export async function watchEngines({ directory, report }: WatchDeps): Promise<EnginesHere> {
  const there = new Set<string>();
  const builtIns: ProvidedTool[] = [];
  const has = (capability: CapabilityName): boolean =>
    hasEngine(capability) && (!OF_SOME_WORKERS.includes(capability) || there.has(capability));
  const look = async (): Promise<void> => {
    try {
      const facts = (await directory.list()).flatMap(({ engines }) => engines);
      there.clear();
      for (const { engine, available } of facts) if (available) there.add(engine);
    } catch (error) {
      report("the engines of workers are not known", error);
    }
    builtIns.splice(0, builtIns.length, ...BUILT_IN_TOOLS.filter((tool) => whyMissing(tool, has) === null));
  };
  await look();
  const looking = setInterval(() => void look(), LOOK_MS);
  return {
    hasEngine: has,
    workersHave: (engine) => there.has(engine),
    builtIns,
    close: () => clearInterval(looking),
  };
}
