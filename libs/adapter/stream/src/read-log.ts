import { compareEventIds, type ExecutionEvent, type ExecutionKey } from "@bulkhead/domain";
import type { RedisClient } from "@bulkhead/redis";
import { decodeEvent } from "./event-codec.ts";
import { PAGE_BYTES_MAX, PAGE_ENTRIES_MAX, logKey, tailKey } from "./names.ts";

export interface LogPage {
  /** Whether the log has the event behind which the page was read. */
  holdsCursor: boolean;
  /** Empty at the log's end. */
  events: ExecutionEvent[];
  /** Whether there may be more behind it. */
  more: boolean;
  /** The last event that a full log lost; null when it lost none. */
  cut: string | null;
}

/** One page of a log from behind `cursor`. Rejects when Redis is away. */
export async function readLog(redis: RedisClient, key: ExecutionKey, cursor: string): Promise<LogPage> {
  const [held, page, more, cut] = await redis.bhRead(
    logKey(key),
    tailKey(key),
    cursor,
    PAGE_ENTRIES_MAX,
    PAGE_BYTES_MAX,
  );
  // An entry that holds the cursor's event is read from its beginning.
  const events = page
    .flatMap((entry) => entry.split("\n").map(decodeEvent))
    .filter((event) => event !== null)
    .filter((event) => compareEventIds(event.id, cursor) > 0);
  return { holdsCursor: held === 1, events, more: more === 1, cut: cut === "0-0" ? null : cut };
}
