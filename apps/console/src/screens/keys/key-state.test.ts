import { expect, test } from "vitest";
import { endAfter, standOf } from "./key-state.ts";

const NOW = new Date("2026-11-26T12:00:00Z");
const KEY = {
  id: "key_1",
  tenantId: "ten_1",
  name: "CI",
  role: "agent",
  createdAt: "2026-01-01T00:00:00Z",
} as const;

test.each([
  ["works", {}, { state: "open" }],
  ["ended", { expiresAt: "2026-11-26T12:00:00Z" }, { state: "expired" }],
  ["ends in days", { expiresAt: "2026-11-28T12:00:00Z" }, { state: "expiring", at: "2026-11-28T12:00:00Z" }],
  ["ends in months", { expiresAt: "2027-02-01T12:00:00Z" }, { state: "open" }],
  [
    "has a former secret",
    { formerUntil: "2026-11-26T13:00:00Z" },
    { state: "rotating", at: "2026-11-26T13:00:00Z" },
  ],
  ["had a former secret", { formerUntil: "2026-11-26T11:00:00Z" }, { state: "open" }],
  [
    "ended with its former secret",
    { expiresAt: "2026-11-26T11:00:00Z", formerUntil: "2026-11-26T13:00:00Z" },
    { state: "expired" },
  ],
])("a key that %s", (_how, more, stand) => expect(standOf({ ...KEY, ...more }, NOW)).toEqual(stand));

test("a lifetime of no days has no end", () => {
  expect(endAfter(0, NOW)).toBeUndefined();
  expect(endAfter(30, NOW)).toBe("2026-12-26T12:00:00.000Z");
});
