import { newExecutionId, newTenantId, type ExecutionKey } from "@bulkhead/core";
import { expect, test } from "vitest";
import { AppendLane } from "./append-lane.ts";
import { aLog } from "./fixtures/stream-examples.ts";
import { TURN_BYTES_MAX, PENDING_BYTES_OF_TENANT_MAX } from "./names.ts";
import type { StreamRedis } from "./stream-redis.ts";

/** Holds each write until the test answers it, with everything accepted. */
function heldRedis() {
  const writes: { keys: string[]; bytes: number; answer: () => void }[] = [];
  const pipeline = () => {
    const steps: (string | number)[][] = [];
    return {
      bhAppend: (...step: (string | number)[]) => void steps.push(step),
      exec: () =>
        new Promise((resolve) => {
          const blocksOf = (step: (string | number)[]) => (step.length - 7) / 4;
          const bytes = steps.flat().reduce<number>((sum, part) => sum + String(part).length, 0);
          const replies = steps.map((step) => [null, "1".repeat(blocksOf(step))]);
          writes.push({ keys: steps.map((step) => String(step[0])), bytes, answer: () => resolve(replies) });
        }),
    };
  };
  return { writes, redis: { pipeline } as unknown as StreamRedis["commands"] };
}

const LIMITS = { ttlMs: 1_000, eventsMax: 1_000, bytesMax: 1_000_000 };
const aKey = (): ExecutionKey => ({ tenantId: newTenantId(), executionId: newExecutionId(new Date()) });
const long = (key: ExecutionKey, n: number) =>
  ({ ...aLog(key, `1-${n}`), text: "x".repeat(10_000) }) as const;
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("one tenant's line is in the next write, however much of another's waits", async () => {
  const { writes, redis } = heldRedis();
  const lane = new AppendLane(redis, LIMITS);
  const [loud, quiet] = [aKey(), aKey()];
  const told = Array.from({ length: 100 }, (_, n) => lane.append(loud, [long(loud, n + 1)]));
  await turn();
  const heard = lane.append(quiet, [aLog(quiet, "1-1")]);
  writes[0]?.answer();
  await turn();
  expect(writes).toHaveLength(2);
  expect(writes[1]?.keys).toHaveLength(2);
  expect(writes[1]?.keys.at(-1)).toContain(quiet.executionId);
  for (const { bytes } of writes) expect(bytes).toBeLessThan(2 * TURN_BYTES_MAX);
  writes[1]?.answer();
  expect(await heard).toBe(true);
  for (let turns = 0; turns < 30; turns += 1, await turn()) writes.at(-1)?.answer();
  expect(await Promise.all(told)).not.toContain(false);
});

test("one tenant that has too much waiting is refused, and no other", async () => {
  const { writes, redis } = heldRedis();
  const lane = new AppendLane(redis, LIMITS);
  const [loud, quiet] = [aKey(), aKey()];
  const large = { ...aLog(loud, "1-1"), text: "x".repeat(3_000_000) };
  const told = Array.from({ length: 8 }, () => lane.append(loud, [large]));
  const outcomes = Promise.allSettled(told);
  const heard = lane.append(quiet, [aLog(quiet, "1-1")]);
  for (let place = 0; place < 10; place += 1) {
    await turn();
    writes[place]?.answer();
  }
  const taken = (await outcomes).filter(({ status }) => status === "fulfilled").length;
  expect(taken).toBe(Math.floor(PENDING_BYTES_OF_TENANT_MAX / 3_000_000));
  expect(await heard).toBe(true);
});
