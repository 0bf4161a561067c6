import { RevocableCache } from "@bulkhead/process";
import type { Principal } from "@bulkhead/core";
import { expect, test } from "vitest";
import { hashApiKey } from "./api-key-text.ts";
import { authenticate } from "./authenticate.ts";

const withAdminKey = (key: string) => ({
  apiKeys: { findByHash: () => Promise.resolve(null) },
  principals: new RevocableCache<Principal>({ entriesMax: 10, ttlMs: 1_000, trusted: () => true }),
  adminKeyHash: hashApiKey(key),
});

test.each([
  ["without spaces", "k".repeat(32), `Bearer ${"k".repeat(32)}`],
  ["with spaces in it", "a whole  sentence, as keys go today", "Bearer a whole  sentence, as keys go today"],
  ["of 4,096 characters", "k".repeat(4_096), `Bearer ${"k".repeat(4_096)}`],
  ["behind another spelling of the scheme", "k".repeat(32), `bearer   ${"k".repeat(32)}`],
])("an administrator's key %s is taken", async (_, key, header) => {
  expect(await authenticate(withAdminKey(key), header)).toMatchObject({ role: "admin" });
});

test.each([
  ["nothing", undefined, "auth.required"],
  ["no key", "Bearer ", "auth.invalid_key"],
  ["another scheme", `Basic ${"k".repeat(32)}`, "auth.invalid_key"],
  ["only the key's first word", "Bearer a", "auth.invalid_key"],
  ["more than the key", "Bearer a b c", "auth.invalid_key"],
])("a header with %s is refused", async (_, header, code) => {
  await expect(authenticate(withAdminKey("a b"), header)).rejects.toMatchObject({ code });
});
