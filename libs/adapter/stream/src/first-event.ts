import {
  announcingEventId,
  AWAITING_EVENT_ID,
  compareEventIds,
  createdAtOf,
  outsiderEndEventId,
  type ExecutionEvent,
  type ExecutionKey,
  type TerminalEvent,
} from "@bulkhead/domain";
import type { LogPage } from "./read-log.ts";

const QUEUED_ID = announcingEventId(1);

/**
 * What every stream says first and no log holds, since the id of an execution tells it all: a thousand calls that are
 * accepted at once would else be a thousand writes before anybody follows one of them.
 */
export const queuedEvent = ({ executionId }: ExecutionKey): ExecutionEvent => ({
  type: "execution.queued",
  id: QUEUED_ID,
  executionId,
  attempt: 1,
  at: createdAtOf(executionId).toISOString(),
});

/** Whether a log that was read from its beginning goes on from the first event, which it does not hold. */
export function beginsLater({ events: [first] }: LogPage): boolean {
  return first !== undefined && compareEventIds(first.id, QUEUED_ID) > 0;
}

/**
 * Whether nothing is lost between `cursor` and the page that was read from behind it: the log holds that event, or it is
 * the first one, and what comes next belongs to the first attempt or ended it before it began.
 */
export function isHeldBy({ holdsCursor, events: [next], cut }: LogPage, cursor: string): boolean {
  if (holdsCursor || cursor !== QUEUED_ID || cut !== null) return holdsCursor;
  return next === undefined || followsQueued(next.id);
}

/** Whether an end that only the row tells may have had something between it and the first event, all that was seen. */
export const endsFarOff = (end: TerminalEvent, cursor: string): boolean =>
  cursor === QUEUED_ID && end.id !== outsiderEndEventId(0);

/** Whether only the row can tell where in its stream an execution's event id lies: behind it, or before its beginning. */
export const mayPrecedeAll = (id: string): boolean => compareEventIds(id, QUEUED_ID) < 0;

/**
 * Where to resume for `after`, which is no event's id where nothing was lost: null is the beginning. Where `waited`, the
 * stream began with the wait for a person, behind which the next that is told is the first attempt. Where nobody knows,
 * `after` stands, so that a gap is told rather than missed.
 */
export function resumePointOf(after: string, waited: boolean | "unknown"): string | null {
  if (compareEventIds(after, announcingEventId(waited === false ? 1 : 0)) < 0) return null;
  return waited === true && compareEventIds(after, AWAITING_EVENT_ID) > 0 ? AWAITING_EVENT_ID : after;
}

const followsQueued = (id: string): boolean =>
  compareEventIds(id, announcingEventId(2)) < 0 || id === outsiderEndEventId(1);
