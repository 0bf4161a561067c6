import { Fault, type FaultCode } from "@bulkhead/core";
import { repeatLostChange } from "./repeat-lost-change.ts";
import { RowsByKey } from "./rows-by-key.ts";

/** Changes of one thing that may wait in this process: more than its writers are at any one moment, and some seconds of work. */
export const WAITING_CHANGES_MAX = 32;
const RETRY_AFTER_SECONDS = 1;

/** The row that is changed, and how it is read. */
export interface Changed<S> {
  /** As its caller names it. Throws where there is none. */
  find: () => Promise<S>;
  /** The one that was found, as it is by now. Throws where it is gone, whatever has its name since. */
  findAgain: (found: S) => Promise<S>;
  /** Tells it from all others of its kind. */
  keyOf: (found: S) => string;
  /** Says whose keys they are, and which fault tells that too many wait. */
  kind: keyof typeof rows;
  /** Its caller wants it in one state or not at all: one look decides, and there is nothing to wait for. */
  isStateNamed: boolean;
}

const openRows = (code: FaultCode) => new RowsByKey(WAITING_CHANGES_MAX, () => tooManyWait(code));

/** One pair per process, so that all changes of one row wait for each other. */
const rows = { tool: openRows("tool.changed"), configService: openRows("config_service.changed") };

/**
 * Finds what is to be changed once, by the name that its caller gave, and then changes that one or nothing. Changes of one
 * thing wait for each other here, since a race would only make the losers do everything again; `change` decides and stores
 * for the state that it is given, with a compare-and-set for the sake of other processes, and is repeated as
 * `repeatLostChange` says. Throws `tool.changed` or `config_service.changed`, with `Retry-After`, where `WAITING_CHANGES_MAX` wait.
 */
export async function changeInTurn<S, T>(
  { find, findAgain, keyOf, kind, isStateNamed }: Changed<S>,
  change: (current: S) => Promise<T>,
): Promise<T> {
  const found = await find();
  if (isStateNamed) return change(found);
  return rows[kind].inTurn(keyOf(found), (waited) => {
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
