import type { Trigger } from "@bulkhead/core";
import { calmly } from "../connect/calmly.ts";
import { fetchingConnection } from "../connect/fetching.ts";
import { Worker, type Job } from "bullmq";
import { PREFIX, QUEUE, strategyOf, type NextRun } from "./trigger-queue.ts";

export interface OpenScheduleConsumerInput {
  redisUrl: string;
  nextRun: NextRun;
  /** Called for each trigger, which may come twice. What it throws goes to `onError`: the reconciler has the run. */
  handle: (trigger: Trigger) => Promise<void>;
  onError: (error: Error) => void;
}

export interface ScheduleConsumer {
  /** Takes nothing new and waits for what was taken, within a bound. */
  close(): Promise<void>;
}

/** Triggers that one worker handles side by side; each is a few short queries. */
const CONCURRENCY = 10;
/** Longest wait in one blocking fetch; seconds. */
const BLOCK_SECONDS = 5;
/** How soon BullMQ tries again what failed because Redis was away; milliseconds. */
const RETRY_MS = 500;
/** The longest wait when the consumer is closed; milliseconds. */
const CLOSE_MS_MAX = 2_000;

/** Hands out triggers, each to one of all workers. Waits for a Redis that is away. */
export function openScheduleConsumer(input: OpenScheduleConsumerInput): ScheduleConsumer {
  const { handle, nextRun } = input;
  const onError = calmly(input.onError);
  const fetching = fetchingConnection({ redisUrl: input.redisUrl, name: "bulkhead-schedules" });
  const worker = new Worker(
    QUEUE,
    async (job: Job<unknown>) => {
      const trigger = triggerOf(job);
      if (trigger === null) return onError(new Error("a trigger without a schedule was thrown away"));
      await handle(trigger).catch(onError);
    },
    {
      connection: fetching.connection,
      prefix: PREFIX,
      // Unlike elsewhere Redis's version is asked for: of one that BullMQ does not know it waits by whole seconds.
      skipVersionCheck: false,
      concurrency: CONCURRENCY,
      drainDelay: BLOCK_SECONDS,
      runRetryDelay: RETRY_MS,
      // A trigger of a dead worker is handed out again: the chain of a schedule's triggers hangs on it.
      maxStalledCount: 1,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      settings: strategyOf(nextRun),
    },
  );
  worker.on("error", onError);
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= closeWorker(worker, fetching)) };
}

/** While Redis is away, BullMQ would wait for it without end. */
async function closeWorker(worker: Worker, fetching: { close(): Promise<void> }): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS_MAX);
  });
  // `close` would do the same, but could then not be forced any more.
  await Promise.race([worker.pause(), late]);
  clearTimeout(timer);
  await worker.close(true);
  await fetching.close();
}

const isText = (value: unknown): value is string => typeof value === "string";

function triggerOf({ data, opts, timestamp }: Job<unknown>): Trigger | null {
  if (typeof data !== "object" || data === null) return null;
  if (!("scheduleId" in data && "tenantId" in data)) return null;
  const { scheduleId, tenantId } = data;
  if (!isText(scheduleId) || !isText(tenantId)) return null;
  return { scheduleId, tenantId, plannedAt: new Date(opts.prevMillis ?? timestamp) };
}
