import type { SandboxLayerReport } from "@bulkhead/domain";
import type { PoolSettings } from "../options.ts";
import { spawnSandbox, type SpawnedSandbox } from "../spawn-sandbox.ts";
import { attemptLaunch } from "./attempt-launch.ts";
import { allMissing } from "./judge-layers.ts";
import { lookAtMachine } from "./launch-ground.ts";
import { launchSteps } from "./launch-steps.ts";
import { settlePlan, type SettledPlan } from "./settle-plan.ts";

/** How this pool starts its processes from now on, and what was seen around the one that was tried. */
export interface SettledLaunch {
  spawn: () => SpawnedSandbox;
  /** Whether node starts from its own snapshot. */
  nodeSnapshot: boolean;
  reports: SandboxLayerReport[];
}

/**
 * Decides once for the life of a pool; the signal ends what is being tried. Node's own snapshot is used where a process
 * comes to its greeting with it: by then the guest's snapshot was made and opened and a tool has run (README); and where no
 * layer is lost by it.
 */
export async function settleLaunch(settings: PoolSettings, signal: AbortSignal): Promise<SettledLaunch> {
  const machine = await lookAtMachine(settings);
  const { steps, missing } = launchSteps(machine);
  const settle = async (nodeSnapshot: boolean) => {
    const ground = { ...machine, nodeSnapshot };
    const settled = await settlePlan(steps, (tried) => attemptLaunch(ground, settings, tried, signal));
    return { ...settled, nodeSnapshot, spawn: () => spawnSandbox(ground, settled.plan) };
  };
  const { spawn, nodeSnapshot, found, reasons } = await withMostLayers(await settle(true), () =>
    settle(false),
  );
  const why = { ...missing, ...reasons };
  const reports = found === null ? allMissing("no sandbox process could be started", why) : found(why);
  return { spawn, nodeSnapshot, reports };
}

type Settled = Pick<SettledPlan<unknown>, "found" | "reasons">;

/** The first where all that was tried stands around it, or as much as around the other; no layer is given up for a faster start. */
export async function withMostLayers<T extends Settled>(first: T, settleOther: () => Promise<T>): Promise<T> {
  const lost = layersLost(first);
  if (lost === 0) return first;
  const other = await settleOther();
  return layersLost(other) < lost ? other : first;
}

const layersLost = ({ found, reasons }: Settled): number =>
  found === null ? Infinity : Object.keys(reasons).length;
