import type { Fleet } from "./fleet.ts";

/**
 * How many processes are not to be had for one more of this tenant's: those that run, and one of each other tenant's that
 * was active within `asleepMs`, since its next call comes.
 */
export function inUseBeside(tenantId: string, fleet: Pick<Fleet, "holdings">, asleepMs: number): number {
  let inUse = 0;
  for (const [holder, { running, idleSince }] of fleet.holdings()) {
    const isKept = holder !== tenantId && running === 0 && performance.now() - idleSince < asleepMs;
    inUse += isKept ? 1 : running;
  }
  return inUse;
}

/**
 * Whether another tenant calls little and has all that it wants: its one process runs, or did within `asleepMs`, and none of
 * its runs `waits`.
 */
export function othersContent(
  tenantId: string,
  fleet: Pick<Fleet, "holdings">,
  asleepMs: number,
  waits: (tenantId: string) => boolean,
): boolean {
  for (const [holder, { held, running, idleSince }] of fleet.holdings()) {
    const isAwake = running > 0 || performance.now() - idleSince < asleepMs;
    if (holder !== tenantId && held === 1 && isAwake && !waits(holder)) return true;
  }
  return false;
}
