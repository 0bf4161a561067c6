import { approvalIdOf, type ExecutionApproval } from "../approval/approval.ts";
import { isTerminal, type Execution, type TerminalStatus } from "../execution/execution.ts";
import type { ExecutionError } from "../execution/outcome.ts";
import type { JsonText } from "../json/json-text.ts";
import type { Json } from "../json/json.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

/**
 * An event of an execution's stream. `id` is `<attempt>-<n>` with the event's `attempt`, and rises strictly: n = 1
 * announces an attempt (queued, retrying), the attempt's holder writes from n = 2 on. A call that waits for a person is
 * before its first attempt: `0-1` (queued) and `0-2` (awaiting_approval); `1-1` (queued) follows when it is allowed. Where
 * the tool's own code has the person asked, `awaiting_approval` is the last event of that attempt.
 */
export type ExecutionEvent = { id: string; executionId: string; attempt: number; at: string } & (
  | { type: "execution.queued" }
  | { type: "execution.awaiting_approval"; approvalId: string; expiresAt: string }
  | { type: "execution.started" }
  /** `error` and `delayMs` where the try before ended badly and its tool asked for another. */
  | { type: "execution.retrying"; error?: ExecutionError; delayMs?: number }
  | { type: "execution.log"; level: LogLevel; text: string }
  | { type: "execution.progress"; value: Json | JsonText }
  | EndEvent
);

/** The one last event. `execution` is missing where it was too large to carry: then the row has it. */
type EndEvent = { type: `execution.${TerminalStatus}`; execution?: Execution };

export type TerminalEvent = Extract<ExecutionEvent, EndEvent>;

/** Two numbers, each up to 15 digits: within what a Redis stream id and a JavaScript number hold. */
export const EVENT_ID = /^\d{1,15}-\d{1,15}$/;

/** Announces attempt `attempt`; whoever queued it writes it. */
export const announcingEventId = (attempt: number): string => `${attempt}-1`;

/** Tells that an execution waits for a person; behind `announcingEventId(0)`. */
export const AWAITING_EVENT_ID = "0-2";

/** The first event of the attempt's holder. */
export const HOLDER_FIRST_EVENT = 2;

/**
 * Ends an execution from outside its current attempt (cancel, deadline, sweep): the id is above all ids that the current
 * holder could still send, so appends of a fenced-off holder are refused.
 */
export const outsiderEndEventId = (attempt: number): string => `${attempt + 1}-${HOLDER_FIRST_EVENT}`;

/** Orders event ids; negative where `a` comes first. */
export function compareEventIds(a: string, b: string): number {
  const [attemptA = 0, nA = 0] = a.split("-").map(Number);
  const [attemptB = 0, nB = 0] = b.split("-").map(Number);
  return attemptA - attemptB || nA - nB;
}

/** The attempt that an event's id counts it to: of an end from outside, the one after the last that was tried. */
const attemptIn = (eventId: string): number => Number(eventId.split("-", 1)[0]);

/** The terminal event that an ended row stands for; null while it has not ended. */
export function endEventOf(execution: Execution): TerminalEvent | null {
  if (!isTerminal(execution.status) || execution.endEventId === null) return null;
  return {
    type: `execution.${execution.status}`,
    id: execution.endEventId,
    executionId: execution.executionId,
    attempt: attemptIn(execution.endEventId),
    at: (execution.finishedAt ?? execution.createdAt).toISOString(),
    execution,
  };
}

/** The event that tells of a person whom a tool's own code had asked; null where it had none asked. */
export function askedEventOf(
  executionId: string,
  { askedEventId, expiresAt }: Pick<ExecutionApproval, "askedEventId" | "expiresAt">,
  at: string,
): ExecutionEvent | null {
  if (askedEventId === undefined) return null;
  const approvalId = approvalIdOf(executionId);
  const attempt = attemptIn(askedEventId);
  return {
    type: "execution.awaiting_approval",
    id: askedEventId,
    executionId,
    attempt,
    at,
    approvalId,
    expiresAt,
  };
}

const END_TYPE = /^execution\.(succeeded|failed|timed_out|cancelled|denied|lost)$/;

/** Whether this is the event after which a stream closes. */
export const isEndEvent = (event: ExecutionEvent): event is TerminalEvent => END_TYPE.test(event.type);
