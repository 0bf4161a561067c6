import {
  isEndEvent,
  isTerminal,
  type EventStream,
  type Execution,
  type ExecutionEvent,
  type ExecutionKey,
} from "@bulkhead/core";
import { noSuchExecution } from "@bulkhead/executions";

const BOUNDS = {
  /** A call is held for so many milliseconds while a person is asked; then its caller is told to come back. */
  holdMsMax: 45_000,
  /** A client's time is kept from running out by a sign of life this often. */
  silenceMsMax: 9_000,
};

export interface FollowDeps {
  stream: Pick<EventStream, "follow">;
  findExecution: (key: ExecutionKey) => Promise<Execution | null>;
}

interface Following {
  /** The id of the last event that was told; null: from the first one. */
  after: string | null;
  /** Fires when nobody waits any more. */
  signal: AbortSignal;
  /** Whether it is held no longer than `holdMsMax` whatever it does, not only while it waits for a person. */
  isHeld: boolean;
}

/**
 * Yields what an execution tells, and "silence" where it tells nothing for long. Returns the execution as it ended; one that goes on
 * where the hold or the signal came first.
 */
export async function* followCall(
  { stream, findExecution }: FollowDeps,
  key: ExecutionKey,
  { after, signal, isHeld }: Following,
  { holdMsMax, silenceMsMax } = BOUNDS,
): AsyncGenerator<ExecutionEvent | "silence", Execution, undefined> {
  const over = new AbortController();
  const following = stream.follow(key, after, AbortSignal.any([signal, over.signal]));
  const events = following[Symbol.asyncIterator]();
  let heldUntil = isHeld ? performance.now() + holdMsMax : Infinity;
  let next = events.next();
  try {
    for (;;) {
      const left = heldUntil - performance.now();
      const came = left <= 0 ? null : await within(next, Math.min(silenceMsMax, left));
      if (came === null && left <= silenceMsMax) break;
      if (came === null) {
        yield "silence";
        continue;
      }
      if (came.done) break;
      const { value: event } = came;
      next = events.next();
      if (event.type === "execution.gap") continue;
      if (isEndEvent(event)) return event.execution ?? (await found(findExecution, key));
      if (!isHeld)
        heldUntil = event.type === "execution.awaiting_approval" ? performance.now() + holdMsMax : Infinity;
      yield event;
    }
  } finally {
    over.abort();
    await next.catch(() => undefined);
  }
  return found(findExecution, key);
}

/** Null where it took longer. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function found(find: FollowDeps["findExecution"], key: ExecutionKey): Promise<Execution> {
  const execution = await find(key);
  if (!execution) throw noSuchExecution();
  return execution;
}

/** Whether an execution has no result yet. */
export const goesOn = ({ status }: Pick<Execution, "status">): boolean => !isTerminal(status);
