import type { Scrubber } from "@bulkhead/core";
import { expect, test } from "vitest";
import { fakeScrubber } from "../fixtures/fake-scrubbers.ts";
import { ToldScrubber } from "./told-scrubber.ts";

/** Counts one match of the kind with every text. */
function counting(...kinds: string[]) {
  const counts = new Map<string, number>();
  const count = <T>(scrubbed: T): T => {
    for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return scrubbed;
  };
  const plain = fakeScrubber();
  const scrubber: Scrubber = {
    ...plain,
    text: (text) => count(text),
    json: (json) => count(json),
    lines: () => ({ ...plain.lines(), push: (text) => count([{ index: 0, text }]) }),
    counts,
  };
  return { scrubber, told: new ToldScrubber(scrubber) };
}

test("where nothing was covered nothing is said", () => {
  const told = new ToldScrubber(fakeScrubber());
  told.text("a");
  expect(told.notice()).toBeNull();
});

test("what was covered is said in one line, by kinds", () => {
  const { told } = counting("named", "value");
  told.text("a");
  told.json("1");
  told.lines().push("a");
  expect(told.notice()).toEqual({
    type: "execution.log",
    level: "warn",
    text: "What this run told held 6 values that look secret or are; they read [REDACTED] (kinds: named 3, value 3).",
  });
});

test("one is told as one", () => {
  const { told } = counting("value");
  told.json("1");
  expect(told.notice()?.text).toBe(
    "What this run told held 1 value that looks secret or is; it reads [REDACTED] (kinds: value 1).",
  );
});

test("what others had covered does not count", () => {
  const { scrubber, told } = counting("value");
  scrubber.text("an argument of a call");
  expect(told.notice()).toBeNull();
  told.text("a");
  scrubber.text("what an upstream answered");
  expect(told.notice()?.text).toContain("(kinds: value 1)");
});
