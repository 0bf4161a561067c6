import type { SandboxLayerReport } from "@bulkhead/core";
import type { PoolSettings } from "../pool/options.ts";
import { spawnSandbox, type SpawnedSandbox } from "../pool/spawn-sandbox.ts";
import { attemptLaunch } from "./attempt-launch.ts";
import { allMissing } from "./judge-layers.ts";
import { lookAtMachine } from "./launch-ground.ts";
import { launchSteps } from "./launch-steps.ts";
import { settlePlan } from "./settle-plan.ts";

/**
 * Whether node starts from its own snapshot, in the order in which that is tried: twice with it, since a machine that is held
 * up may miss the time of a start whichever way it goes.
 */
const NODE_SNAPSHOT = [true, true, false] as const;

/** How this pool starts its processes from now on, and what was seen around the one that was tried. */
export interface SettledLaunch {
  spawn: () => SpawnedSandbox;
  /** Whether node starts from its own snapshot. */
  nodeSnapshot: boolean;
  reports: SandboxLayerReport[];
}

/**
 * Decides once for the life of a pool; the signal ends what is being tried. Node's own snapshot is used where a process
 * comes to its greeting with it: by then the guest's snapshot was made and opened and a tool has run (decision 0045). Where
 * everything can be had without it alone, it is not.
 */
export async function settleLaunch(settings: PoolSettings, signal: AbortSignal): Promise<SettledLaunch> {
  const machine = await lookAtMachine(settings);
  const { steps, missing } = launchSteps(machine);
  const { way, plan, found, reasons } = await settlePlan(NODE_SNAPSHOT, steps, (nodeSnapshot, tried) =>
    attemptLaunch({ ...machine, nodeSnapshot }, settings, tried, signal),
  );
  const ground = { ...machine, nodeSnapshot: way };
  const why = { ...missing, ...reasons };
  const reports = found === null ? allMissing("no sandbox process could be started", why) : found(why);
  return { spawn: () => spawnSandbox(ground, plan), nodeSnapshot: way, reports };
}
