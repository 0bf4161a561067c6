import type { Fleet } from "./fleet.ts";
import type { ProcessLosses } from "./process-losses.ts";

/** The contents of a pool at this moment; counts, but for the ids. */
export interface SandboxPoolStats {
  starting: number;
  blank: number;
  idle: number;
  running: number;
  waiting: number;
  /** Processes started since the pool was opened. */
  started: number;
  /** Whether node starts from its own snapshot in them; false until the pool knows. */
  nodeSnapshot: boolean;
  /** Processes that went, by reason, since then. */
  losses: ProcessLosses;
  processes: { pid: number; tenantId: string | null; runs: number; rssMib: number }[];
}

/** `waiting` is how many runs wait for a process. */
export function poolStats(fleet: Fleet, waiting: number): SandboxPoolStats {
  const blank = fleet.blanks().length;
  const { started, nodeSnapshot, losses } = fleet;
  return {
    starting: fleet.count("starting"),
    blank,
    idle: fleet.count("ready") - blank,
    running: fleet.count("running"),
    waiting,
    started,
    nodeSnapshot,
    losses,
    processes: fleet.all().map(({ pid, tenantId, runs, rssMib }) => ({ pid, tenantId, runs, rssMib })),
  };
}
