import type { Scrubbers } from "@bulkhead/core";
import { openScrubbers } from "@bulkhead/scrub";
import { expect, test } from "vitest";
import { recordingMeter } from "./fixtures/recording-meter.ts";
import { timeScrubbers } from "./timed-scrubbers.ts";

const VALUE = "correct-horse-battery";
const OPENING = {
  needles: [{ value: VALUE, wholeWordsOnly: false }],
  patterns: [{ name: "rule:ten_a's pet", source: "wombat" }],
};

function open(scrubbers: Scrubbers = openScrubbers()) {
  const { meter, sums, records } = recordingMeter();
  const timed = timeScrubbers(scrubbers, meter);
  return { timed, sums, records, scrubber: timed.scrubbers.open(OPENING) };
}

test("what is covered is counted by kind, and no tenant's name for its rule is told", () => {
  const { timed, scrubber, sums } = open();
  expect(scrubber.text(`${VALUE} wombat AKIAABCDEFGHIJKLMNOP`)).not.toMatch(/correct|wombat|AKIA/u);
  const tallied: unknown[] = [];
  timed.counting((...said) => tallied.push(said))("ten_a", scrubber.counts);
  const counted = Object.fromEntries([...sums].filter(([, count]) => count > 0));
  expect(counted).toEqual({
    "bulkhead_scrubbed_total{value}": 1,
    "bulkhead_scrubbed_total{rule}": 1,
    "bulkhead_scrubbed_total{token}": 1,
  });
  expect(tallied).toEqual([["ten_a", scrubber.counts]]);
});

test("every kind is there at 0 before anything was covered", () => {
  const { sums } = open();
  expect([...sums.values()]).toEqual([0, 0, 0, 0, 0]);
});

test("a timed scrubber covers what the plain one does, and its time is told once its run has ended", () => {
  const { timed, scrubber, records } = open();
  const plain = openScrubbers().open(OPENING);
  const json = JSON.stringify({ said: VALUE, password: "x1-y2-z3" });
  expect(scrubber.json(json)).toBe(plain.json(json));
  const lines = [scrubber.lines(), plain.lines()].map((each) => [
    ...each.push(`a ${VALUE}`),
    ...each.settle(),
    ...each.end(),
  ]);
  expect(lines[0]).toEqual(lines[1]);
  const bytes = [scrubber.bytes(), plain.bytes()].map((each) =>
    Buffer.concat([each.push(Buffer.from(VALUE)), each.end()]).toString(),
  );
  expect(bytes[0]).toBe(bytes[1]);
  expect([...records]).toEqual([]);
  timed.counting(() => undefined)("ten_a", scrubber.counts);
  const [seconds = 0] = records.get("bulkhead_execution_phase_seconds{scrub}") ?? [];
  expect(seconds).toBeGreaterThan(0);
});

test("counts of a scrubber that is not timed are no phase", () => {
  const { timed, records } = open();
  timed.counting(() => undefined)("ten_a", new Map([["value", 1]]));
  expect([...records]).toEqual([]);
});
