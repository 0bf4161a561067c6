import type { PoolSettings } from "./options.ts";

/** For whom idle processes are evicted. */
export interface SlotsWanted {
  /** Runs that wait for a process that will be started. */
  wanted: number;
  /** How many of those even a tenant's last process may go for: their tenants have none. */
  newcomers: number;
  /** Blank ones that shall stand ready before anybody waits. */
  ahead: number;
  /** How many of those a tenant's last process may go for. */
  aheadOfLast: number;
}

/** The part of a fleet that eviction looks at. */
interface Evictable {
  readonly size: number;
  /** Processes that leave or have left, and still hold a slot. */
  readonly going: number;
  count(state: "starting"): number;
  countOf(tenantId: string): number;
  blanks(): readonly unknown[];
  idleOldestFirst(): { tenantId: string | null; idleSince: number; kill(reason: "room"): void }[];
}

/**
 * Ends idle processes, the oldest first, as far as no slot is free. A tenant's last one goes only for newcomers, for the
 * stock of blank ones, or when it is asleep. Returns the tenants that have none left.
 */
export function evictIdle(
  fleet: Evictable,
  { processesMax, asleepMs }: Pick<PoolSettings, "processesMax" | "asleepMs">,
  { wanted, newcomers, ahead, aheadOfLast }: SlotsWanted,
): string[] {
  const free = processesMax - fleet.size;
  const onTheWay = fleet.count("starting") + fleet.going + Math.max(0, free) + fleet.blanks().length;
  // The processes beyond the bound, for which a reserve was used, are given back as soon as one is idle.
  const overdrawn = -free - fleet.going;
  let tooMany = Math.max(wanted + ahead - onTheWay, overdrawn);
  let lastOnesLeft = Math.max(newcomers + aheadOfLast - onTheWay, overdrawn);
  const without: string[] = [];
  for (const idle of fleet.idleOldestFirst()) {
    if (tooMany <= 0) break;
    const tenantId = idle.tenantId ?? "";
    const isLast = fleet.countOf(tenantId) === 1;
    if (isLast && performance.now() - idle.idleSince < asleepMs && lastOnesLeft-- <= 0) continue;
    tooMany--;
    idle.kill("room");
    if (isLast) without.push(tenantId);
  }
  return without;
}
