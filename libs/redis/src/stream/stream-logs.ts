import { type ExecutionKey, type StreamLogs, Fault } from "@bulkhead/core";
import { ThreadPool } from "@bulkhead/process";
import { LOG_BYTES_MAX } from "./names.ts";
import type { PackedEntries, PackJob } from "./pack-log.ts";
import { readRaw } from "./read-log.ts";
import type { StreamRedis } from "./stream-redis.ts";

const MIB = 1024 * 1024;
/** A log of `LOG_BYTES_MAX` as text, as events and as words. */
const THREAD_HEAP_MIB_MAX = 256;
/** The thread's time for each MiB, and at the least, in milliseconds. */
const MS_MAX_FOR_MIB = 2_000;
const MS_MIN = 2_000;
/** Logs that may wait for the thread, more than are read at a time, and for how long, in milliseconds. */
const QUEUE_MAX = { ofTenant: 4, ofAll: 4 };
const WAIT_MS_MAX = 20_000;

export interface OpenedStreamLogs extends StreamLogs {
  close(): Promise<void>;
}

/** Packs logs in a thread of its own. */
export function openStreamLogs({ commands }: Pick<StreamRedis, "commands">): OpenedStreamLogs {
  const threads = new ThreadPool<PackJob, PackedEntries>({
    program: { entry: new URL("./log-thread.ts", import.meta.url), heapMibMax: THREAD_HEAP_MIB_MAX },
    threadsMax: 1,
    queueMax: QUEUE_MAX,
    waitMsMax: WAIT_MS_MAX,
    msMaxFor: ({ entries }) => Math.max(MS_MIN, (lengthOf(entries) / MIB) * MS_MAX_FOR_MIB),
  });
  return {
    async pack(key, { withoutErrors }) {
      const { entries, cut } = await readWhole(commands, key);
      if (entries.length === 0) return { hasEnd: false, log: null };
      const done = await threads.run(key.tenantId, { entries, how: { withoutErrors } });
      if (done.outcome !== "answered")
        throw new Fault("service.unavailable", { internal: `packing a log: its thread ${done.outcome}` });
      const { hasEnd, log } = done.answer;
      return { hasEnd, log: log && { ...log, cut } };
    },
    close: () => threads.close(),
  };
}

/** All entries of a log; its bounds limit them to about `LOG_BYTES_MAX`. */
async function readWhole(redis: StreamRedis["commands"], key: ExecutionKey) {
  const entries: string[] = [];
  let cursor = "0-0";
  for (;;) {
    const page = await readRaw(redis, key, cursor);
    entries.push(...page.entries);
    cursor = page.lastId;
    // A log that is written and trimmed meanwhile can't be read for ever either.
    if (!page.more || lengthOf(entries) > 2 * LOG_BYTES_MAX) return { entries, cut: page.cut };
  }
}

const lengthOf = (entries: readonly string[]): number =>
  entries.reduce((sum, entry) => sum + entry.length, 0);
