import { readFileSync } from "node:fs";
import { roleOf } from "../cpu-by-role.ts";
import { below, memoryOf } from "../process-tree.ts";

/** What the processes of one role keep in memory; MiB. */
export interface RoleMemory {
  processes: number;
  rssMib: number;
  /** Shared pages by their share; of processes that don't show it, their RSS. */
  pssMib: number;
}

/** Of the processes below this one, by role as `cpu-by-role` tells them apart. */
export function memoryByRole(): Record<string, RoleMemory> {
  const roles: Record<string, RoleMemory> = {};
  for (const { pid, rssMib } of below()) {
    const role = roleOf(commandOf(pid));
    const { processes, rssMib: rss, pssMib: pss } = roles[role] ?? { processes: 0, rssMib: 0, pssMib: 0 };
    roles[role] = {
      processes: processes + 1,
      rssMib: rss + rssMib,
      pssMib: pss + (memoryOf(pid)?.pss ?? rssMib),
    };
  }
  return roles;
}

/** Empty of one that has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
