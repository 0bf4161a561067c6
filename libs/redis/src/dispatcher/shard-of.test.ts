import { newTenantId } from "@bulkhead/core";
import { expect, test } from "vitest";
import { allShards, shardOf } from "./shard-of.ts";

test("a tenant's shard never changes", () => {
  const shards = ["ten_0000000000000000", "ten_ffffffffffffffff"].map((id) => shardOf(id, 61));
  expect(shards).toEqual([30, 1]);
  // A vector of the FNV reference code.
  expect(shardOf("foobar", 2 ** 32)).toBe(0xbf9cf968);
});

test("tenants are spread evenly", () => {
  const counts = [0, 0, 0, 0];
  for (let n = 0; n < 8_000; n++) counts[shardOf(newTenantId(), 4)]!++;
  for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(250);
});

test.each([0, 65, 1.5, Number.NaN])("%d shards are refused", (shards) => {
  expect(() => allShards(shards)).toThrow("shards");
});
