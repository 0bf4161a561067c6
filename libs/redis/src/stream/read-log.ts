import { compareEventIds, type ExecutionEvent, type ExecutionKey } from "@bulkhead/core";
import type { RedisClient } from "../connect/connect.ts";
import { decodeEvent } from "./event-codec.ts";
import { PAGE_BYTES_MAX, PAGE_ENTRIES_MAX, logKey, tailKey } from "./names.ts";

interface Page {
  /** Whether the log has the event behind which the page was read. */
  holdsCursor: boolean;
  /** Whether there may be more behind it. */
  more: boolean;
  /** The last event that a full log lost; null when it lost none. */
  cut: string | null;
}

export interface LogPage extends Page {
  /** Empty at the log's end. */
  events: ExecutionEvent[];
}

/** A page as it is stored. */
export interface RawPage extends Page {
  /** Entries: events as JSON with a newline between them. The first one may begin with events before the cursor. */
  entries: string[];
  /** The id of the page's last event; the cursor if there is none. */
  lastId: string;
}

/** One page of a log from behind `cursor`. Rejects when Redis is away. */
export async function readLog(redis: RedisClient, key: ExecutionKey, cursor: string): Promise<LogPage> {
  const { entries, lastId: _, ...page } = await readRaw(redis, key, cursor);
  return { ...page, events: eventsBehind(cursor, entries) };
}

/** `readLog` for entries that are decoded elsewhere. */
export async function readRaw(redis: RedisClient, key: ExecutionKey, cursor: string): Promise<RawPage> {
  const [held, entries, more, cut, lastId] = await redis.bhRead(
    logKey(key),
    tailKey(key),
    cursor,
    PAGE_ENTRIES_MAX,
    PAGE_BYTES_MAX,
  );
  return { holdsCursor: held === 1, entries, more: more === 1, cut: cut === "0-0" ? null : cut, lastId };
}

/** The events behind `cursor` in entries of a log. */
export const eventsBehind = (cursor: string, entries: readonly string[]): ExecutionEvent[] =>
  entries
    .flatMap((entry) => entry.split("\n").map(decodeEvent))
    .filter((event) => event !== null)
    .filter((event) => compareEventIds(event.id, cursor) > 0);
