import type { Clock, EndWatch, Execution, ExecutionKey, ExecutionStore } from "@bulkhead/core";
import { expireExecution, type EndDeps } from "../end/end-execution.ts";
import { noSuchExecution } from "./see-execution.ts";

export interface WaitDeps extends EndDeps {
  executions: Pick<ExecutionStore, "endFromOutside" | "find">;
  clock: Clock;
}

/**
 * Waits until the execution has ended, or a person is asked about it, and answers it as it is then. When the deadline passes
 * first, ends it here. Null when the signal fires first: the caller went away, the execution goes on.
 */
export async function waitForEnd(
  deps: WaitDeps,
  key: ExecutionKey,
  deadlineAt: Date,
  watch: EndWatch,
  signal: AbortSignal,
): Promise<Execution | null> {
  const first = await firstOf(watch, deadlineAt.getTime() - deps.clock().getTime(), signal);
  if (first === "gone") return null;
  if (first === "overdue") return (await givenMoreTime(deps, key, deadlineAt)) ?? expireExecution(deps, key);
  if (first.execution) return first.execution;
  const found = await deps.executions.find(key);
  if (!found) throw noSuchExecution();
  return found;
}

/** The execution where its tool's own code had a person asked, unheard: with the answer its time began anew. */
async function givenMoreTime(
  { executions }: Pick<WaitDeps, "executions">,
  key: ExecutionKey,
  deadlineAt: Date,
): Promise<Execution | null> {
  const found = await executions.find(key);
  return found?.approval?.asking !== undefined && found.deadlineAt > deadlineAt ? found : null;
}

async function firstOf(watch: EndWatch, msLeft: number, signal: AbortSignal) {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const overdue = new Promise<"overdue">((resolve) => {
    timer = setTimeout(resolve, Math.max(0, msLeft), "overdue");
  });
  const gone = new Promise<"gone">((resolve) => {
    onAbort = () => resolve("gone");
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([watch.ended, overdue, gone]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener("abort", onAbort);
  }
}
