import type { EngineFact, WorkerFacts } from "@bulkhead/core";
import type { RunningAttempts } from "@bulkhead/executions";
import { productVersion } from "@bulkhead/process/telemetry";
import { createRequire } from "node:module";
import { hostname } from "node:os";
import { processCounts, type ShownPool } from "./metrics/sandbox-gauges.ts";

export interface WorkerFactsDeps {
  workerId: string;
  /** Executions that this worker takes at once. */
  slots: number;
  running: Pick<RunningAttempts, "size">;
  pool: ShownPool;
  /** The sandbox program's entry. */
  program: string;
  /** What it has of what tools may need. */
  engines: readonly EngineFact[];
}

/** The layers are found on a process that runs: where none starts, they are not known. */
const LAYERS_MS_MAX = 5_000;

async function layersWithin(pool: Pick<ShownPool, "layers">, msMax: number) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the sandbox's layers are not known yet")), msMax);
  });
  try {
    return await Promise.race([pool.layers(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Answers this worker's facts; constant ones are read once. Rejects within 5 s if no sandbox process has started. */
export function workerFacts({ workerId, slots, running, pool, program, engines }: WorkerFactsDeps) {
  const lasting = {
    workerId,
    slots,
    host: hostname(),
    pid: process.pid,
    startedAt: new Date(performance.timeOrigin),
    version: productVersion(),
    nodeVersion: process.versions.node,
    v8Version: process.versions.v8,
    isolatedVmVersion: isolatedVmVersion(program),
  };
  return async (): Promise<WorkerFacts> => {
    const sandboxLayers = await layersWithin(pool, LAYERS_MS_MAX);
    const { waiting, nodeSnapshot } = pool.stats();
    return {
      ...lasting,
      nodeSnapshot,
      running: running.size,
      sandboxProcesses: processCounts(pool),
      sandboxWaiting: waiting,
      sandboxLayers,
      engines,
    };
  };
}

/** The version of isolated-vm that the sandbox program at `entry` loads; this process never loads it. */
function isolatedVmVersion(entry: string): string {
  const { version } = createRequire(entry)("isolated-vm/package.json") as { version: string };
  return version;
}
