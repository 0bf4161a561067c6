import type { TenantPrincipal } from "@bulkhead/core";
import type { Stopwatch } from "../attempt/stopwatch.ts";
import type { Accepting, AcceptDeps } from "./accept.ts";
import { insertOnce } from "./idempotency.ts";
import {
  announceWaiting,
  askPeople,
  tooManyWaiting,
  waitingSlotsFor,
  type AskDeps,
  type WaitingSlotDeps,
} from "./wait-for-person.ts";

export type AcceptWaitingDeps = AskDeps & WaitingSlotDeps & Pick<AcceptDeps, "executions">;

/**
 * Commits an execution that waits for a person: it has no slot in the queue until it is allowed. Answers as `accept` does.
 * Throws `approval.too_many` and `idempotency.conflict`.
 */
export async function acceptWaiting(
  deps: AcceptWaitingDeps,
  principal: TenantPrincipal,
  accepting: Accepting,
  watch: Stopwatch,
): Promise<string> {
  if ((await waitingSlotsFor(deps, principal, 1)) < 1) throw tooManyWaiting();
  // Nobody can follow a row that is not there, and an answer must find what it is told behind.
  const announced = announceWaiting(deps, accepting.execution);
  const known = await insertOnce(deps, accepting);
  watch.lap("persist");
  if (known !== null) return known;
  await Promise.all([announced, askPeople(deps, accepting.execution)]);
  return accepting.execution.executionId;
}
