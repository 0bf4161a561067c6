import { newTenantId } from "@bulkhead/core";
import { leakCheck, openTestRedis, type TestRedis } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStreamRedis, type StreamRedis } from "./stream-redis.ts";
import { openTenantRemnants } from "./tenant-remnants.ts";

leakCheck();

let server: TestRedis;
let redis: StreamRedis;
beforeAll(async () => {
  server = await openTestRedis();
  redis = await openStreamRedis({ redisUrl: server.url, onError: () => undefined });
});
afterAll(async () => {
  await redis.close();
  await server.close();
});

const never = new AbortController().signal;

test("what has the tenant's id in its name goes, among many others, and nothing else", async () => {
  const [tenantId, other] = [newTenantId(), newTenantId()];
  const namesOf = (id: string) =>
    Array.from({ length: 2_500 }, (_, n) => [`bh:log:${id}:{exe_${n}}`, "a"]).flat();
  await redis.commands.mset(...namesOf(tenantId), ...namesOf(other), `bh:rate:{${tenantId}}:requests`, "1");
  const remnants = openTenantRemnants(redis);
  expect(await remnants.clear(tenantId, never)).toBe(2_501);
  const left = await redis.commands.keys("*");
  expect(left.filter((key) => key.includes(tenantId))).toEqual([]);
  expect(left).toHaveLength(2_500);
  expect(await remnants.clear(tenantId, never)).toBe(0);
});

test("who is asked to stop does so, and the rest is for the next", async () => {
  const tenantId = newTenantId();
  const names = Array.from({ length: 5_000 }, (_, n) => [`bh:log:${tenantId}:{exe_${n}}`, "a"]).flat();
  await redis.commands.mset(...names);
  const remnants = openTenantRemnants(redis);
  const gone = await remnants.clear(tenantId, AbortSignal.abort());
  expect(gone).toBeLessThan(5_000);
  expect(await remnants.clear(tenantId, never)).toBe(5_000 - gone);
});

test("nothing but a tenant's id is a pattern", async () => {
  await expect(openTenantRemnants(redis).clear("*", never)).rejects.toThrow("a tenant's id has its form");
});
