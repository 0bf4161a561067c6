import {
  JsonText,
  stringifyJson,
  EVENT_ID,
  isEndEvent,
  type Execution,
  type ExecutionEvent,
} from "@bulkhead/core";
import { END_EVENT_BYTES_MAX } from "./names.ts";

/** An event as it travels; of a large terminal event without the execution. */
export function encodeEvent(event: ExecutionEvent): string {
  if (!isEndEvent(event)) return stringifyJson(event);
  const result = event.execution?.result;
  const isLarge = result instanceof JsonText && result.text.length > END_EVENT_BYTES_MAX;
  const json = isLarge ? null : stringifyJson(event);
  if (json !== null && Buffer.byteLength(json) <= END_EVENT_BYTES_MAX) return json;
  return JSON.stringify({ ...event, execution: undefined });
}

/** Null for a text that is no event: Redis is shared with others, and garbage in it must not end a stream. */
export function decodeEvent(json: string): ExecutionEvent | null {
  try {
    const event = JSON.parse(json) as ExecutionEvent;
    if (!EVENT_ID.test(event.id) || typeof event.type !== "string") return null;
    return isEndEvent(event) && event.execution ? { ...event, execution: withDates(event.execution) } : event;
  } catch {
    return null;
  }
}

/** JSON has no dates; the fields of a row that are dates have to become so again. An older process writes no `erased`. */
function withDates(execution: Omit<Execution, "erased"> & Partial<Pick<Execution, "erased">>): Execution {
  return {
    ...execution,
    erased: execution.erased ?? [],
    createdAt: new Date(execution.createdAt),
    startedAt: execution.startedAt && new Date(execution.startedAt),
    finishedAt: execution.finishedAt && new Date(execution.finishedAt),
    deadlineAt: new Date(execution.deadlineAt),
  };
}

/** The message that `lua/append.lua` publishes: events, and the id of the one before them. */
export interface LiveMessage {
  after: string;
  events: ExecutionEvent[];
}

/** Null for garbage. */
export function decodeMessage(text: string): LiveMessage | null {
  const [after = "", ...lines] = text.split("\n");
  const events = lines.map(decodeEvent);
  if (!EVENT_ID.test(after) || events.includes(null)) return null;
  return { after, events: events.filter((event) => event !== null) };
}
