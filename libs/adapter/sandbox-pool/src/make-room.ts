import type { ProcessRoster } from "./process-roster.ts";

/**
 * Ends idle processes, the oldest first, as far as `wanted` ones have no room. A tenant's last idle process goes only for
 * one of the `newcomers`, tenants that have none.
 */
export function makeRoom(
  processes: Pick<ProcessRoster, "size" | "count" | "countOf" | "idleOldestFirst">,
  processesMax: number,
  wanted: number,
  newcomers: number,
): void {
  const room = processesMax - processes.size;
  const leaving = processes.count("leaving");
  const onTheWay = processes.count("starting") + leaving + Math.max(0, room);
  // What a reserve was used for is given back as soon as something is idle.
  const overdrawn = -room - leaving;
  let tooMany = Math.max(wanted - onTheWay, overdrawn);
  let lastOnesLeft = Math.max(newcomers - onTheWay, overdrawn);
  for (const idle of processes.idleOldestFirst()) {
    if (tooMany <= 0) return;
    const isLast = processes.countOf(idle.tenantId ?? "") === 1;
    if (isLast && lastOnesLeft-- <= 0) continue;
    tooMany--;
    idle.kill("room");
  }
}
