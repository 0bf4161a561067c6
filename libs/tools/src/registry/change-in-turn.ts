import { Fault, type FaultCode } from "@bulkhead/core";
import { repeatLostChange } from "./repeat-lost-change.ts";
import { KeyedQueues } from "./keyed-queues.ts";

/** Changes of one thing that may wait in this process: more than its writers are at any one moment, and some seconds of work. */
export const WAITING_CHANGES_MAX = 32;
const RETRY_AFTER_SECONDS = 1;

/** The thing that is changed, and how it is found. */
export interface Changed<S> {
  /** As its caller names it. Throws where there is none. */
  find: () => Promise<S>;
  /** Finds the same one again. Throws if it is gone, whatever has its name since. */
  findAgain: (found: S) => Promise<S>;
  /** Tells it from all others of its kind. */
  keyOf: (found: S) => string;
  /** Selects the queue of changes, and the fault when too many wait. */
  kind: keyof typeof queues;
  /** The caller named the state that the change is for: one look decides, without waiting. */
  isStateNamed: boolean;
}

const openQueues = (code: FaultCode) => new KeyedQueues(WAITING_CHANGES_MAX, () => tooManyWait(code));

/** One queue per process and kind, so that all changes of one thing wait for each other. */
const queues = { tool: openQueues("tool.changed"), configService: openQueues("config_service.changed") };

/**
 * Finds the thing to change once, by the caller's name for it, and then changes that one or nothing. Changes of one thing
 * wait for each other here, since a race would only make the losers repeat everything; `change` decides and stores for the
 * given state, with a compare-and-set for the sake of other processes, and is repeated by `repeatLostChange`. Throws
 * `tool.changed` or `config_service.changed`, with `Retry-After`, when `WAITING_CHANGES_MAX` wait.
 */
export async function changeInTurn<S, T>(
  { find, findAgain, keyOf, kind, isStateNamed }: Changed<S>,
  change: (current: S) => Promise<T>,
): Promise<T> {
  const found = await find();
  if (isStateNamed) return change(found);
  return queues[kind].inTurn(keyOf(found), (waited) => {
    let fresh = waited ? null : { found };
    return repeatLostChange(async () => {
      const current = fresh ? fresh.found : await findAgain(found);
      fresh = null;
      return change(current);
    });
  });
}

const tooManyWait = (code: FaultCode): Fault =>
  new Fault(code, {
    detail: `${WAITING_CHANGES_MAX} other changes of it wait already; nothing of this one was stored. Send it again.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
