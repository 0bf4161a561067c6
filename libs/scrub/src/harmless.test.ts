import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openScrubbers } from "./open-scrubbers.ts";

const LINES = readFileSync(join(import.meta.dirname, "fixtures/harmless.txt"), "utf8")
  .trimEnd()
  .split("\n");
const needles = [{ value: "k9-Harmless?no", wholeWordsOnly: false }];
const open = () => openScrubbers().open({ needles, patterns: [] });

test("there are three hundred look-alikes and more", () => {
  expect(new Set(LINES).size).toBeGreaterThanOrEqual(300);
});

test.each(LINES)("%s", (line) => {
  const scrubber = open();
  expect(scrubber.text(line)).toBe(line);
  const json = JSON.stringify({ line, lines: [line] });
  expect(scrubber.json(json)).toBe(json);
  expect(scrubber.counts.size).toBe(0);
});

test("all of them as one stream of lines", () => {
  const lines = open().lines();
  const said = [...LINES.flatMap((line) => lines.push(line)), ...lines.end()];
  expect(said.map(({ text }) => text)).toEqual(LINES);
});
