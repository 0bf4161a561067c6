import type { ExecutionEvent } from "@bulkhead/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CallNews, readLevel } from "./call-news.ts";

const about = { executionId: "exe_1", attempt: 1, at: "2026-11-26T00:00:00.000Z" };
const emitted = (n: number, value: unknown): ExecutionEvent =>
  ({ ...about, id: `1-${n}`, type: "execution.progress", value }) as ExecutionEvent;
const logged = (level: "debug" | "info" | "warn" | "error"): ExecutionEvent => ({
  ...about,
  id: "1-2",
  type: "execution.log",
  level,
  text: "said",
});
const wanting = (progressToken: string | null, logLevel: string | null) =>
  new CallNews({ progressToken, logLevel: readLevel(logLevel) });

test("a tool that tells its own progress is passed on as it says", () => {
  const news = wanting("token", null);
  expect(news.of(emitted(2, { progress: 1, total: 4, message: "one" }))).toEqual({
    method: "notifications/progress",
    params: { progressToken: "token", progress: 1, total: 4, message: "one" },
  });
});

test("anything else that a tool emits is a step, with what it emitted as the message", () => {
  const news = wanting("token", null);
  expect(news.of(emitted(2, "half"))?.params).toMatchObject({ progress: 2, message: "half" });
  expect(news.of(emitted(3, { rows: 3 }))?.params).toMatchObject({ progress: 3, message: '{"rows":3}' });
});

test("progress rises whatever a tool emits, and between signs of life", () => {
  const value = fc.oneof(fc.json(), fc.record({ progress: fc.double({ min: -5, max: 5, noNaN: true }) }));
  fc.assert(
    fc.property(fc.array(fc.option(value), { maxLength: 30 }), (values) => {
      const news = wanting("token", null);
      let before = -Infinity;
      values.forEach((said, at) => {
        const told = said === null ? news.heartbeat() : news.of(emitted(at + 2, said));
        const now = Number(told?.params?.["progress"]);
        expect(now).toBeGreaterThan(before);
        before = now;
      });
    }),
  );
});

test("what another attempt emits goes on behind the first one's", () => {
  const news = wanting("token", null);
  news.of(emitted(900, "first"));
  const second = news.of({ ...about, id: "2-2", type: "execution.progress", value: "second" });
  expect(Number(second?.params?.["progress"])).toBeGreaterThan(900);
});

test("log lines come from the level on that was asked for", () => {
  const levels = (least: string | null) =>
    (["debug", "info", "warn", "error"] as const).filter((level) => wanting(null, least).of(logged(level)));
  expect(levels("debug")).toEqual(["debug", "info", "warn", "error"]);
  expect(levels("notice")).toEqual(["warn", "error"]);
  expect(levels("emergency")).toEqual([]);
  expect(levels(null)).toEqual([]);
  expect(wanting(null, "debug").of(logged("warn"))?.params).toEqual({
    level: "warning",
    logger: "tool",
    data: "said",
  });
});

test("who asked for nothing hears nothing", () => {
  const news = wanting(null, null);
  expect([news.of(emitted(2, "x")), news.heartbeat()]).toEqual([null, null]);
});
