import { expect, test } from "vitest";
import { actionWords, filtersOf, readAuditSearch } from "./audit-search.ts";

test("an address of a stranger's gives what the screen knows, and nothing else", () => {
  expect(readAuditSearch({ about: "tool", since: "day", key: "key_1", q: "x", entry: 7 })).toEqual({
    about: "tool",
    since: "day",
    key: "key_1",
    entry: "7",
  });
  expect(readAuditSearch({ about: "planet", since: "aeon", id: "" })).toEqual({});
});

test("looks of the same minute ask the server the same", () => {
  const at = (time: string) => filtersOf({ since: "hour" }, new Date(time));
  expect(at("2026-11-26T12:00:01Z")).toEqual(at("2026-11-26T12:00:59Z"));
  expect(at("2026-11-26T12:00:01Z").from).toBe("2026-11-26T11:00:00.000Z");
});

test.each([
  ["tool.version_approved", "Tool: version approved"],
  ["api_key.rotated", "API key: rotated"],
  ["mcp_server.granted", "MCP server: granted"],
])("%s is told as %s", (action, words) => expect(actionWords(action)).toBe(words));
