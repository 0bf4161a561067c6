import { type PlannedSchedule, type ScheduleKey, type ScheduleTriggers, Fault } from "@bulkhead/core";
import { calmly } from "../connect/calmly.ts";
import { connect, disconnect, type RedisClient } from "../connect/connect.ts";
import { Queue } from "bullmq";
import { MARK, PREFIX, QUEUE, patternOf, strategyOf, type NextRun } from "./trigger-queue.ts";

export interface OpenScheduleTriggersInput {
  redisUrl: string;
  nextRun: NextRun;
  /** Told about a broken connection, once per outage; commands fail by themselves. */
  onError: (error: Error) => void;
}

/** Triggers in Redis, as BullMQ's job schedulers. Throws `service.unavailable` when Redis isn't there at the start. */
export async function openScheduleTriggers(input: OpenScheduleTriggersInput): Promise<ScheduleTriggers> {
  const onError = calmly(input.onError);
  const redis = await connect({ redisUrl: input.redisUrl, name: "bulkhead-schedules", onError });
  return new RedisScheduleTriggers(redis, input.nextRun, onError);
}

/** Ids that one look at Redis brings, about. */
const SCAN_COUNT = 500;

class RedisScheduleTriggers implements ScheduleTriggers {
  readonly #redis: RedisClient;
  readonly #queue: Queue<ScheduleKey>;

  constructor(redis: RedisClient, nextRun: NextRun, onError: (error: unknown) => void) {
    this.#redis = redis;
    this.#queue = new Queue(QUEUE, {
      connection: redis,
      prefix: PREFIX,
      skipVersionCheck: true,
      // Nobody reads BullMQ's event stream.
      streams: { events: { maxLen: 100 } },
      settings: strategyOf(nextRun),
    });
    this.#queue.on("error", onError);
  }

  set({ scheduleId, tenantId, plan }: Omit<PlannedSchedule, "nextRunAt">): Promise<void> {
    return answered(async () => {
      await this.#queue.upsertJobScheduler(scheduleId, patternOf(plan), {
        name: "run",
        data: { scheduleId, tenantId },
        // The reconciler sees to failures: a retry would come between two planned times.
        opts: { attempts: 1, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } },
      });
    });
  }

  remove(scheduleId: string): Promise<void> {
    return answered(async () => void (await this.#queue.removeJobScheduler(scheduleId)));
  }

  nextTimes(scheduleIds: string[]): Promise<(Date | null)[]> {
    if (scheduleIds.length === 0) return Promise.resolve([]);
    return answered(async () => {
      const scores = await this.#redis.zmscore(this.#schedulers, ...scheduleIds);
      return scores.map((score) => (score === null ? null : new Date(Number(score))));
    });
  }

  async *listIds(): AsyncIterable<string[]> {
    let cursor = "0";
    do {
      const [next, found] = await answered(() =>
        this.#redis.zscan(this.#schedulers, cursor, "COUNT", SCAN_COUNT),
      );
      // Members and scores take turns.
      yield found.filter((_, index) => index % 2 === 0);
      cursor = next;
    } while (cursor !== "0");
  }

  claimRefill(): Promise<boolean> {
    // Set before the triggers are: Redis emptied anew meanwhile loses it again.
    return answered(async () => (await this.#redis.set(MARK, "1", "NX")) === "OK");
  }

  async close(): Promise<void> {
    // BullMQ leaves a connection alone that was handed to it.
    await this.#queue.close();
    await disconnect(this.#redis);
  }

  /** BullMQ's sorted set of schedulers by the time of their next job. */
  get #schedulers(): string {
    return this.#queue.toKey("repeat");
  }
}

async function answered<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (cause) {
    throw new Fault("service.unavailable", { internal: "the triggers of schedules can't be reached", cause });
  }
}
