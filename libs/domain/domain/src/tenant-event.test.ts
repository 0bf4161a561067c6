import { expect, test } from "vitest";
import { readTenantNews } from "./tenant-event.ts";

const data = { toolId: "tool_1", toolName: "greet", toolVersion: 2, status: "active", by: "key_1" };
const news = { type: "tool.created", data };

test("news of a known kind is read, without what its kind does not have", () => {
  expect(readTenantNews(news)).toEqual(news);
  expect(readTenantNews({ ...news, tenantId: "ten_1", data: { ...data, tenantId: "ten_1" } })).toEqual(news);
});

test.each<[string, unknown]>([
  ["no object", "tool.created"],
  ["null", null],
  ["an unknown kind", { ...news, type: "tool.sold" }],
  ["a kind named like a property of every object", { ...news, type: "toString" }],
  ["no data", { type: "tool.created" }],
  ["a missing field", { ...news, data: { ...data, by: undefined } }],
  ["a number that is text", { ...news, data: { ...data, toolVersion: "2" } }],
  ["a word that is not in the list", { ...news, data: { ...data, status: "sold" } }],
])("%s is no news", (_what, value) => {
  expect(readTenantNews(value)).toBeNull();
});
