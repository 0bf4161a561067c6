import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NOTE_BYTES_PER_SECOND_MAX, NOTES_PER_SECOND_MAX, RESULT_VALUES_MAX } from "./bounds.ts";
import { NoteGauge } from "./note-gauge.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const saying = (data: unknown) => ({ method: "notifications/message", params: { level: "info", data } });
const nested = (levels: number): object => (levels === 0 ? {} : { in: nested(levels - 1) });

test.each<[string, unknown, RegExp]>([
  ["long", "x".repeat(NOTE_BYTES_PER_SECOND_MAX), /^more than 4194304 bytes/],
  ["long in its names", { ["x".repeat(NOTE_BYTES_PER_SECOND_MAX)]: 1 }, /^more than 4194304 bytes/],
  ["wide", Array.from({ length: RESULT_VALUES_MAX }, () => 1), /more than 10000 values/],
  ["deep", nested(5_000), /deeper than 64 levels/],
])("a message that is %s is too much", (_, data, expected) => {
  expect(new NoteGauge().add(saying(data))).toMatch(expected);
});

test("messages of one second are weighed together, and the next one begins anew", () => {
  const gauge = new NoteGauge();
  const half = saying("é".repeat(NOTE_BYTES_PER_SECOND_MAX / 4));
  expect(gauge.add(half)).toBeNull();
  expect(gauge.add(half)).toMatch(/bytes of messages in a second$/);
  vi.advanceTimersByTime(1_000);
  expect(gauge.add(half)).toBeNull();
});

test("messages of one second are counted, what is none among them", () => {
  const gauge = new NoteGauge();
  for (let n = 0; n < NOTES_PER_SECOND_MAX; n += 1) expect(gauge.add()).toBeNull();
  expect(gauge.add()).toBe("more than 1000 messages in a second");
});
