import {
  announcingEventId,
  AWAITING_EVENT_ID,
  compareEventIds,
  createdAtOf,
  HOLDER_FIRST_EVENT,
  isEndEvent,
  outsiderEndEventId,
  type ExecutionEvent,
  type ExecutionKey,
  type TerminalEvent,
} from "@bulkhead/core";
import type { LogPage } from "./read-log.ts";

const QUEUED_ID = announcingEventId(1);
const STARTED_ID = `1-${HOLDER_FIRST_EVENT}`;
const NEVER_STARTED_END_ID = outsiderEndEventId(0);
/** The id of the end of a first attempt that emitted nothing between its start and its end. */
const SILENT_END_ID = `1-${HOLDER_FIRST_EVENT + 1}`;

/**
 * The first event of every stream. No log holds it, since the id of an execution tells it all: a thousand calls that are
 * accepted at once would otherwise be a thousand writes before anybody follows one of them.
 */
export const queuedEvent = ({ executionId }: ExecutionKey): ExecutionEvent => ({
  type: "execution.queued",
  id: QUEUED_ID,
  executionId,
  attempt: 1,
  at: createdAtOf(executionId).toISOString(),
});

/** Whether a log that was read from its beginning continues the first event, which it does not hold. */
export function beginsLater({ events: [first] }: LogPage): boolean {
  return first !== undefined && compareEventIds(first.id, QUEUED_ID) > 0;
}

/** The message id before such a message: that of the first event. */
export const BEFORE_SILENT = QUEUED_ID;

/**
 * Whether these are all that a first attempt says after it was queued, its start and its end: the row tells both, so no log
 * holds them. Most executions say nothing else.
 */
export function rowTellsAll(events: readonly ExecutionEvent[]): boolean {
  const [first, second, more] = events;
  if (first === undefined || more !== undefined) return false;
  if (second === undefined) return first.id === NEVER_STARTED_END_ID && isEndEvent(first);
  return first.id === STARTED_ID && second.id === SILENT_END_ID && isEndEvent(second);
}

/**
 * The events of a first attempt before this end, if its row tells them: none, or its start alone. Null if there were more,
 * or may have been.
 */
export function saidBefore(end: TerminalEvent, startedAt: Date | null): ExecutionEvent[] | null {
  if (end.id === NEVER_STARTED_END_ID) return [];
  if (end.id !== SILENT_END_ID || startedAt === null) return null;
  const { executionId } = end;
  const at = startedAt.toISOString();
  return [{ type: "execution.started", id: STARTED_ID, executionId, attempt: 1, at }];
}

/**
 * Whether nothing is lost between `cursor` and the page that was read from there: the log holds that event, or it is the
 * first one, and the next event belongs to the first attempt or ended it before it began.
 */
export function isHeldBy({ holdsCursor, events: [next], cut }: LogPage, cursor: string): boolean {
  if (holdsCursor || cursor !== QUEUED_ID || cut !== null) return holdsCursor;
  return next === undefined || followsQueued(next.id);
}

/** Whether a cursor is at the first event: behind it an end that is no `saidBefore` has had something before it. */
export const isAtFirst = (cursor: string): boolean => cursor === QUEUED_ID;

/** Whether a first attempt of which only the row tells may lie behind this event. */
export const mayBeToldByRow = (id: string): boolean => compareEventIds(id, QUEUED_ID) <= 0;

/** Whether only the row can tell where in its stream an execution's event id lies: behind it, or before its beginning. */
export const mayPrecedeAll = (id: string): boolean => compareEventIds(id, QUEUED_ID) < 0;

/**
 * The id to resume from for `after`, which may be no event's id if nothing was lost: null is the beginning. With `waited`,
 * the stream began with the wait for a person, and its next event is the first attempt. If that is unknown, `after` stays,
 * so that a gap is reported rather than missed.
 */
export function resumePointOf(after: string, waited: boolean | "unknown"): string | null {
  if (compareEventIds(after, announcingEventId(waited === false ? 1 : 0)) < 0) return null;
  return waited === true && compareEventIds(after, AWAITING_EVENT_ID) > 0 ? AWAITING_EVENT_ID : after;
}

const followsQueued = (id: string): boolean =>
  compareEventIds(id, announcingEventId(2)) < 0 || id === outsiderEndEventId(1);
