import type { SandboxLayerReport } from "@bulkhead/domain";
import type { PoolSettings } from "../options.ts";
import { spawnSandbox, type SpawnedSandbox } from "../spawn-sandbox.ts";
import { attemptLaunch } from "./attempt-launch.ts";
import { allMissing } from "./judge-layers.ts";
import { openLaunchGround } from "./launch-ground.ts";
import { launchSteps } from "./launch-steps.ts";
import { settlePlan } from "./settle-plan.ts";

/** How this pool starts its processes from now on, and what was seen around the one that was tried. */
export interface SettledLaunch {
  spawn: () => SpawnedSandbox;
  reports: SandboxLayerReport[];
}

/** Decides once for the life of a pool; the signal ends what is being tried. */
export async function settleLaunch(settings: PoolSettings, signal: AbortSignal): Promise<SettledLaunch> {
  const ground = await openLaunchGround(settings);
  const { steps, missing } = launchSteps(ground);
  const { plan, found, reasons } = await settlePlan(steps, (tried) =>
    attemptLaunch(ground, settings, tried, signal),
  );
  const why = { ...missing, ...reasons };
  return {
    spawn: () => spawnSandbox(ground, plan),
    reports: found === null ? allMissing("no sandbox process could be started", why) : found(why),
  };
}
