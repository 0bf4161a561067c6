import type { Fleet } from "./fleet.ts";
import type { SandboxProcess } from "./sandbox-process.ts";
import type { Waiter, WaitingLine } from "./waiting-line.ts";

/** By what it is judged; a turn is what a tenant keeps a process for at the least. */
export interface MustYieldDeps {
  fleet: Pick<Fleet, "isFull" | "processes">;
  line: Pick<WaitingLine<Waiter>, "inTurn">;
  turnMs: number;
}

/** Whether a tenant gives a process back after its turn: under load, where another tenant waits that has fewer. */
export function mustYield(deps: MustYieldDeps, { tenantId, boundAt }: SandboxProcess): boolean {
  const { isFull, processes } = deps.fleet;
  if (tenantId === null || !isFull || performance.now() - boundAt < deps.turnMs) return false;
  if (processes.blanks().length + processes.count("starting") + processes.count("leaving") > 0) return false;
  const own = processes.countOf(tenantId);
  return deps.line.inTurn().some((waiter) => {
    const theirs = processes.countOf(waiter.tenantId);
    return waiter.tenantId !== tenantId && waiter.impatient && (theirs === 0 || theirs + 1 < own);
  });
}
