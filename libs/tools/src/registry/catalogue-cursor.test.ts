import { expect, test } from "vitest";
import { readCursor, writeCursor } from "./catalogue-cursor.ts";

const byUsage = { sort: "usageCount", order: "desc" } as const;
const byName = { sort: "name", order: "asc" } as const;
const byTime = { sort: "createdAt", order: "desc" } as const;
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test.each([
  [byUsage, { value: 12, id: "tool_0123456789abcdef" }],
  [byName, { value: "fetch_weather", id: "tool_0123456789abcdef" }],
  [byTime, { value: "2026-01-01T00:00:00.123Z", id: "tool_0123456789abcdef" }],
])("what is written in the order %o is read again", (sorting, mark) => {
  expect(readCursor(sorting, writeCursor(sorting, mark) ?? "")).toEqual(mark);
});

test("the last page has none", () => {
  expect(writeCursor(byName, null)).toBeNull();
});

test.each([
  "",
  "x",
  "%%%",
  encoded(null),
  encoded([]),
  encoded(["name", "asc", 1, "tool_1"]),
  encoded(["name", "asc", "a"]),
  encoded(["name", "desc", "a", "tool_1"]),
  encoded(["usageCount", "desc", 1, "tool_1"]),
  encoded(["name", "asc", "a\0", "tool_1"]),
  encoded(["name", "asc", "a".repeat(65), "tool_1"]),
  encoded(["name", "asc", "a", { id: 1 }]),
])("%j is refused by name", (cursor) => {
  expect(() => readCursor(byName, cursor)).toThrow(expect.objectContaining({ code: "request.invalid" }));
});

test.each(["yesterday", "2026-13-40T00:00:00.000Z", "'; DROP TABLE tools", 5])("%j is no moment", (value) => {
  expect(() => readCursor(byTime, encoded(["createdAt", "desc", value, "tool_1"]))).toThrow("cursor must be");
});
