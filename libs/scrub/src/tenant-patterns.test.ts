import { REDACTED, type ScrubPattern } from "@bulkhead/core";
import { expect, test } from "vitest";
import { openScrubbers } from "./open-scrubbers.ts";
import { checkPattern } from "./check-pattern.ts";
import { PATTERNS_MS_MAX, UNSEARCHED } from "./tenant-patterns.ts";

const open = (patterns: readonly ScrubPattern[]) =>
  openScrubbers({ nowMs: () => 0 }).open({ needles: [], patterns });

test.each([
  "CUST-[0-9]{6}",
  "(?:ORD|INV)-[A-Z]{2}\\d{4,8}",
  "\\$\\^[a-z]{8,40}",
  "[$^]internal-[0-9a-f]{1,500}",
  "(a|b){8}x",
  "ref-\\p{Uppercase_Letter}{4}[0-9]{6}",
])("%s may be registered", (source) => {
  expect(checkPattern(source)).toEqual([]);
});

test.each([
  ["(", /not a regular expression/],
  ["(a+)+$", /no ends/],
  ["^secret-x", /no ends/],
  ["\\bword-[0-9]+", /no ends/],
  ["(?=x)yyyyyy", /linear time/],
  ["(?<=x)yyyyyy", /linear time/],
  ["(abc)\\1", /linear time/],
  ["x{1001}", /linear time/],
  ["((a{30}){30}){30}", /linear time|costs too much/],
  ["(?:[a-z]{500}){3}", /linear time|costs too much/],
  [".*", /ordinary text/],
  ["[a-z]+", /ordinary text/],
  ["", /ordinary text/],
  ["RED", /ordinary text/],
  ["x".repeat(513), /longer than 512/],
  ["k7[^z]*zzz|k7", /more than 512 characters: write \{n,m\}/],
  ["key-[a-z]+", /more than 512/],
  ["key-[a-z]{8,}", /more than 512/],
  ["(?:key[0-9]{16}){30}", /more than 512/],
])("%s is refused", (source, why) => {
  expect(checkPattern(source).join("\n")).toMatch(why);
});

test("what takes others for ever takes no time", () => {
  const scrubber = open([{ name: "hard", source: "(?:a{1,20}){1,20}b" }]);
  const text = "a".repeat(20_000);
  expect(scrubber.text(text)).toBe(text);
});

test("a match is found wherever it lies, also where its letters are two characters each", () => {
  const scrubber = open([{ name: "wide", source: "<[^<>]{510}>" }]);
  for (const before of [
    "",
    "x",
    "\u{1f600}".repeat(1_024),
    `x${"\u{1f600}".repeat(1_023)}`,
    "y".repeat(2_047),
  ])
    for (const inside of ["i".repeat(510), "\u{1f600}".repeat(510)]) {
      const text = `${before}<${inside}>`.repeat(3);
      expect(scrubber.text(text)).toBe(`${before}${REDACTED}`.repeat(3));
    }
});

test("when the patterns' time in a run is over each text is covered whole, and counted as such", () => {
  let nowMs = 0;
  const opening = {
    needles: [],
    patterns: [{ name: "customer", source: "CUST-[0-9]{6}" }],
  };
  const scrubbers = openScrubbers({ nowMs: () => nowMs++ });
  const scrubber = scrubbers.open(opening);
  expect(scrubber.text("a CUST-123456")).toBe(`a ${REDACTED}`);
  nowMs += PATTERNS_MS_MAX;
  expect(scrubber.text("time between texts counts for nothing")).toBe(
    "time between texts counts for nothing",
  );
  expect(scrubber.text("b".repeat(2_048 * PATTERNS_MS_MAX))).toBe(REDACTED);
  const json = scrubber.json('{"a":"b","c":["d",1,null],"e":""}');
  expect(json).toBe(
    `{"${REDACTED}":"${REDACTED}","${REDACTED} 2":["${REDACTED}",1,null],"${REDACTED} 3":""}`,
  );
  expect(scrubber.json(json)).toBe(json);
  expect(scrubber.lines().push("a line")).toEqual([{ index: 0, text: REDACTED }]);
  expect(scrubber.counts.get(UNSEARCHED)).toBeGreaterThan(5);
  expect(scrubbers.open(opening).text("another run has its own")).toBe("another run has its own");
});

test("matches are covered in texts, keys and values, and counted by name", () => {
  const patterns = [{ name: "customer", source: "CUST-[0-9]{6}" }];
  const scrubber = open(patterns);
  expect(scrubber.text("CUST-123456CUST-654321, CUST-1")).toBe(`${REDACTED}${REDACTED}, CUST-1`);
  expect(scrubber.json('{"CUST-123456":["\\u0043UST-123456"]}')).toBe(`{"${REDACTED}":["${REDACTED}"]}`);
  expect(scrubber.counts).toEqual(new Map([["customer", 4]]));
});

test("a pattern that was never checked is not run", () => {
  const patterns = [{ name: "all", source: ".*" }];
  expect(() => open(patterns)).toThrow(/never checked/);
});
