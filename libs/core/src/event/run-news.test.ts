import { expect, test } from "vitest";
import { readRunNews } from "./run-news.ts";

const data = {
  executionId: "exe_1",
  toolName: "greet",
  toolVersion: 2,
  attempt: 1,
  source: "rest",
  keyId: "key_1",
};
const started = { type: "execution.started", at: "2026-01-02T03:04:05.678Z", data };
const ended = { ...started, type: "execution.ended", data: { ...data, status: "failed", durationMs: 12 } };

test("news of a known kind are read, without what its kind does not have", () => {
  expect(readRunNews(started)).toEqual(started);
  expect(readRunNews(ended)).toEqual(ended);
  expect(readRunNews({ ...started, result: 1, data: { ...data, arguments: {} } })).toEqual(started);
});

test.each<[string, unknown]>([
  ["null", null],
  ["an unknown kind", { ...started, type: "execution.sold" }],
  ["a kind named like a property of every object", { ...started, type: "constructor" }],
  ["no time", { ...started, at: undefined }],
  ["a missing field", { ...ended, data }],
  ["an end that is none", { ...ended, data: { ...ended.data, status: "running" } }],
])("%s is no news", (_what, value) => {
  expect(readRunNews(value)).toBeNull();
});
