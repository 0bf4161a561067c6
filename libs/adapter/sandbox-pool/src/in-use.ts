import type { ProcessRoster } from "./process-roster.ts";

/**
 * How many processes are not to be had for one more of this tenant's: those that run, and one of each other tenant's that
 * was active within `asleepMs`, since its next call comes.
 */
export function inUseBeside(
  tenantId: string,
  processes: Pick<ProcessRoster, "holdings">,
  asleepMs: number,
): number {
  let inUse = 0;
  for (const [holder, { running, idleSince }] of processes.holdings()) {
    const isKept = holder !== tenantId && running === 0 && performance.now() - idleSince < asleepMs;
    inUse += isKept ? 1 : running;
  }
  return inUse;
}
