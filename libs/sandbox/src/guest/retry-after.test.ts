import { describe, expect, it, vi } from "vitest";
import { retryAfterMsOf, retryAfterSeconds } from "./retry-after.ts";

const { NOW, TEXT } = vi.hoisted(() => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  // Before the module keeps the clock that it finds.
  vi.useFakeTimers({ now, toFake: ["Date"] });
  return { NOW: now, TEXT: "Thu, 01 Jan 2026 00:00:04 GMT" };
});
const asking = (retryAfter: unknown, cause?: unknown): Error =>
  Object.assign(new Error("429", cause === undefined ? {} : { cause }), { retryAfter });

describe("how long a thrown error asks to be let alone", () => {
  it.each<[string, unknown, number]>([
    ["seconds", asking(4), 4_000],
    ["parts of seconds", asking(0.25), 250],
    ["seconds as the header has them", asking("4"), 4_000],
    ["a date as the header has it", asking(TEXT), 4_000],
    ["a Date", asking(new Date(NOW + 1_500)), 1_500],
    ["a date that is over", asking(new Date(NOW - 1_500)), 1],
    ["no seconds at all", asking(0), 1],
    ["what is no error", { retryAfter: 2 }, 2_000],
    ["its cause's", new Error("outer", { cause: asking(3) }), 3_000],
    ["its own before its cause's", asking(1, asking(3)), 1_000],
    ["nothing", new Error("plain"), 0],
    ["what can't be read", asking("soon"), 0],
    ["no number", asking(Number.NaN), 0],
    ["no end", asking(Number.POSITIVE_INFINITY), 0],
    ["seconds below none", asking(-5), 0],
    ["an object", asking({}), 0],
    ["null", null, 0],
  ])("%s", (_what, error, ms) => {
    expect(retryAfterMsOf(error)).toBe(ms);
  });

  it("is looked for in a circle of causes for a bounded time", () => {
    const circle = new Error("a");
    circle.cause = circle;
    expect(retryAfterMsOf(circle)).toBe(0);
  });
});

describe("what a Retry-After header says", () => {
  it.each<[string | null, number | undefined]>([
    ["4", 4],
    ["0", 0],
    [TEXT, 4],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
  ])("%s", (header, seconds) => {
    expect(retryAfterSeconds(header)).toBe(seconds);
  });
});
