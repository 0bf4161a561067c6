import type { Fleet } from "./fleet.ts";
import type { SandboxProcess } from "./sandbox-process.ts";
import type { Waiter, WaitingLine } from "./waiting-line.ts";

/** By what it is judged; a turn is what a tenant keeps a process for at the least. */
export interface MustYieldDeps {
  fleet: Pick<Fleet, "isFull" | "lacksBlanks" | "countOf" | "blanks" | "count" | "going">;
  line: Pick<WaitingLine<Waiter>, "inTurn">;
  turnMs: number;
}

/**
 * Whether a tenant gives a process back after its turn: under load, where another tenant waits that has fewer, or where it
 * has several and no blank one stands ready for who comes next.
 */
export function mustYield(deps: MustYieldDeps, { tenantId, boundAt }: SandboxProcess): boolean {
  const { fleet } = deps;
  if (tenantId === null || !fleet.isFull || performance.now() - boundAt < deps.turnMs) return false;
  const own = fleet.countOf(tenantId);
  if (fleet.lacksBlanks && own > 1) return true;
  if (fleet.blanks().length + fleet.count("starting") + fleet.going > 0) return false;
  return deps.line.inTurn().some((waiter) => {
    const theirs = fleet.countOf(waiter.tenantId);
    if (waiter.tenantId === tenantId) return false;
    return waiter.impatient ? theirs === 0 || theirs + 1 < own : theirs === 0 && own > 1;
  });
}
