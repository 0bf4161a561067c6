import type { Tool } from "@bulkhead/core";
import type { FastifyReply } from "fastify";
import { expect, test, vi } from "vitest";
import { hasTag, readIfMatch, readPutCondition, tagAnswer } from "./entity-tags.ts";

const TOOL = { id: "tool_0000000000000001", revision: 3 } as Tool;

test.each([
  ["no header", undefined, null],
  ["a star", " * ", null],
  ["one tag", '"a.1"', ["a.1"]],
  ["several", '"a.1" , "b.2","c"', ["a.1", "b.2", "c"]],
  ["weak ones, which match nothing", 'W/"a.1", "b.2"', ["b.2"]],
  ["an empty one", '""', [""]],
])("If-Match with %s", (_what, header, seen) => {
  expect(readIfMatch(header)).toEqual(seen);
});

test.each(["", "a.1", '"a', '"a" "b"', '"a",', '*, "a"', 'w/"a"', '"a\u00e9"'])(
  "If-Match of %j is no list of tags",
  (header) => {
    expect(() => readIfMatch(header)).toThrow(expect.objectContaining({ code: "request.invalid" }));
  },
);

test("If-None-Match compares weakly", () => {
  for (const header of ['"a.1"', 'W/"a.1"', '"x", "a.1"', "*"]) expect(hasTag(header, "a.1")).toBe(true);
  for (const header of ['"a.2"', undefined]) expect(hasTag(header, "a.1")).toBe(false);
});

test("a tool's tag begins with its state and is another where anything that is shown is, but for warnings", () => {
  const header = vi.fn();
  const tagOf = (shown: object) => tagAnswer({ header } as unknown as FastifyReply, TOOL, shown);
  const tag = tagOf({ usageCount: 1, unconfiguredServices: ["sky"] });
  expect(header).toHaveBeenCalledExactlyOnceWith("etag", `"${tag}"`);
  expect(tag).toMatch(/^tool_0000000000000001\.3\.[\w-]{43}$/);
  const others = [
    { usageCount: 1, unconfiguredServices: [] },
    { usageCount: 2, unconfiguredServices: ["sky"] },
    { usageCount: 1, unconfiguredServices: ["sky"], warnings: ["Nothing to say."] },
  ].map(tagOf);
  expect(new Set([tag, ...others]).size).toBe(3);
  expect(others[2]).toBe(tag);
});

test("a long header of hostile shape is read in no time to speak of", () => {
  expect(() => readIfMatch(`${'"a" '.repeat(500)}x`)).toThrow();
  expect(() => readIfMatch(`${" ".repeat(2_000)}x`)).toThrow();
});

test.each([
  [{}, { exists: null, tags: null }],
  [{ "if-match": "*" }, { exists: true, tags: null }],
  [{ "if-match": '"a.1", "b"' }, { exists: true, tags: ["a.1", "b"] }],
  [{ "if-none-match": " * " }, { exists: false, tags: null }],
])("a PUT with %j", (headers, condition) => {
  expect(readPutCondition(headers)).toEqual(condition);
});

test.each([
  { "if-match": "a" },
  { "if-none-match": '"a"' },
  { "if-none-match": "" },
  { "if-match": "*", "if-none-match": "*" },
])("a PUT with %j is refused", (headers) => {
  expect(() => readPutCondition(headers)).toThrow(expect.objectContaining({ code: "request.invalid" }));
});
