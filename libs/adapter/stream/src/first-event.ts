import {
  announcingEventId,
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
export function beginsLater({ events: [first], cut }: LogPage): boolean {
  return first !== undefined && cut === null && compareEventIds(first.id, QUEUED_ID) > 0;
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
  cursor === QUEUED_ID && !followsQueued(end.id);

const followsQueued = (id: string): boolean =>
  compareEventIds(id, announcingEventId(2)) < 0 || id === outsiderEndEventId(1);
