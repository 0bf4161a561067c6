import { expect, test } from "vitest";
import { askedOf, readExecutionSearch } from "./execution-search.ts";

test("an address is read as far as it is known, in the order of states, and asked so", () => {
  const search = readExecutionSearch({
    status: "failed,succeeded,odd",
    tool: 42,
    version: "3",
    source: "mcp",
    code: "tool.threw",
    min: 10,
    logs: "out of stock",
    odd: "x",
  });
  expect(search).toEqual({
    status: "succeeded,failed",
    tool: "42",
    version: 3,
    source: "mcp",
    code: "tool.threw",
    min: 10,
    logs: "out of stock",
  });
  expect(askedOf(search)).toEqual({
    filters: {
      status: ["succeeded", "failed"],
      tool: "42",
      toolVersion: 3,
      source: "mcp",
      code: "tool.threw",
      minMs: 10,
      logs: "out of stock",
    },
    lastMs: 86_400_000,
  });
});

test("a stretch of time is asked for in the period's place, and any time without one", () => {
  const from = "2026-11-01T00:00:00.000Z";
  const stretch = readExecutionSearch({ from: "2026-11-01T00:00:00Z", period: "week" });
  expect(stretch).toEqual({ from });
  expect(askedOf(stretch)).toEqual({ filters: { from } });
  expect(askedOf(readExecutionSearch({ period: "any" }))).toEqual({ filters: {} });
});

test("what is no value of a filter, and an end before its beginning, is left out", () => {
  expect(
    readExecutionSearch({
      status: "odd",
      source: "odd",
      code: "odd",
      version: -1,
      min: 20,
      max: 10,
      from: "2026-11-02T00:00:00Z",
      to: "2026-11-01T00:00:00Z",
      period: "odd",
    }),
  ).toEqual({ min: 20, from: "2026-11-02T00:00:00.000Z" });
});
