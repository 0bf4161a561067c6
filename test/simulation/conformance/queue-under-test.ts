import type { AttemptKey, ExecutionQueue, UsedMs } from "@bulkhead/core";
import { openExecutionQueue, openQueueConsumer } from "@bulkhead/redis";
import { until } from "@bulkhead/testing";
import { Redis } from "ioredis";
import { Dispatcher } from "../model/dispatcher.ts";
import { nameOf } from "../model/waiting.ts";

/** A dispatcher with one worker, whoever implements the port. */
export interface QueueUnderTest {
  queue: Omit<ExecutionQueue, "measure">;
  /** What the worker has taken so far, in order; at most its slots are unfinished at one time. */
  taken: string[];
  /** Releases what the worker has taken, and frees its hands. */
  finish(attempt: AttemptKey, usedMs: number | null): Promise<void>;
  close(): Promise<void>;
}

/** Longer than any test: the worker of the model never falls silent. */
const ANNOUNCED_MS = 3_600_000;

/** The model behind the port, with a worker that takes at once; beside it one that is saturated, and has `saturated` at rest. */
export function openModel(slots: number, saturated = 0): QueueUnderTest {
  const dispatcher = new Dispatcher(() => Date.now());
  if (slots > 0) dispatcher.announce("worker", slots, ANNOUNCED_MS);
  dispatcher.announce("saturated", 0, ANNOUNCED_MS, saturated);
  const taken: string[] = [];
  const ready: string[] = [];
  const active = new Set<string>();
  const handOut = (attempts: AttemptKey[]): Promise<void> => {
    for (const name of attempts.map(nameOf)) if (!ready.includes(name) && !active.has(name)) ready.push(name);
    while (active.size < slots) {
      const name = ready.shift();
      if (name === undefined) break;
      active.add(name);
      taken.push(name);
    }
    return Promise.resolve();
  };
  const release = (attempt: AttemptKey, usedMs: UsedMs): Promise<void> => {
    const isSpared = usedMs === "unless_taken";
    if (isSpared && active.has(nameOf(attempt))) return handOut(dispatcher.dispatch());
    const place = ready.indexOf(nameOf(attempt));
    if (place >= 0) ready.splice(place, 1);
    return handOut(dispatcher.release(attempt, isSpared ? null : usedMs));
  };
  const isReady = (name: string): boolean => ready.includes(name) || active.has(name);
  const queue: QueueUnderTest["queue"] = {
    reserve: (wanted) => Promise.resolve(dispatcher.reserve(wanted)),
    admit: (admissions) => handOut(dispatcher.admit(admissions)),
    release,
    setLimits: (tenantId, current) => handOut(dispatcher.setLimits(tenantId, current)),
    missing: (attempts) => Promise.resolve(dispatcher.missing(attempts, isReady)),
    renew: (attempts) => Promise.resolve(dispatcher.renew(attempts)),
    dispatch: () => handOut(dispatcher.dispatch()),
    reap: async () => {
      const { handedOut, lapsed } = dispatcher.reap();
      await handOut(handedOut);
      return lapsed;
    },
  };
  const finish = async (attempt: AttemptKey, usedMs: number | null): Promise<void> => {
    await release(attempt, usedMs);
    active.delete(nameOf(attempt));
    await handOut([]);
  };
  return { queue, taken, finish, close: () => Promise.resolve() };
}

/** The real one: Lua on Redis, BullMQ, and the product's consumer; beside it what a saturated worker says, as `openModel`. */
export async function openReal(redisUrl: string, slots: number, saturated = 0): Promise<QueueUnderTest> {
  const onError = (): void => undefined;
  const queue = await openExecutionQueue({ redisUrl, onError });
  const redis = new Redis(redisUrl);
  const taken: string[] = [];
  const hands = new Map<string, () => void>();
  const handle = (attempt: AttemptKey): Promise<void> => {
    taken.push(nameOf(attempt));
    return new Promise((resolve) => void hands.set(nameOf(attempt), resolve));
  };
  const consumer =
    slots > 0
      ? await openQueueConsumer({
          redisUrl,
          workerId: "worker",
          concurrency: slots,
          headroom: () => 1,
          queue,
          handle,
          onError,
        })
      : null;
  if (saturated > 0)
    await redis
      .multi()
      .zadd("{bh:0}:workers", Date.now() + ANNOUNCED_MS, "saturated")
      .hset("{bh:0}:capacity", "saturated", saturated)
      .incrby("{bh:0}:capacity-total", saturated)
      .exec();
  return {
    queue,
    taken,
    finish: async (attempt, usedMs) => {
      await queue.release(attempt, usedMs);
      const letGo = hands.get(nameOf(attempt));
      if (!letGo) return;
      letGo();
      hands.delete(nameOf(attempt));
      // Ending a job, BullMQ fetches the next one: beside its other fetch that would take two that are new in any order.
      await until(async () => (await redis.exists(`{bh:0}:ready:${nameOf(attempt)}`)) === 0, {
        what: "BullMQ is done with the job",
      });
    },
    close: async () => {
      redis.disconnect();
      for (const let_go of hands.values()) let_go();
      await consumer?.close();
      await queue.close();
    },
  };
}
