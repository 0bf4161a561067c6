import { expect, test } from "vitest";
import { AnswerCovers } from "./answer-covers.ts";
import { coverText } from "./cover-response.ts";
import { placeSecret, plainScrubbers } from "./local-secrets.ts";

const near = placeSecret({ value: "near-value", hosts: ["near.test", "both.test:8443"] });
const far = placeSecret({ value: "far-value", hosts: ["*.far.test", "both.test"] });
const covers = new AnswerCovers(plainScrubbers, [near, far]);
const said = "near-value, far-value";

test.each([
  ["near.test", 443, "[REDACTED], far-value"],
  ["a.far.test", 443, "near-value, [REDACTED]"],
  ["both.test", 8443, "[REDACTED], [REDACTED]"],
  ["both.test", 443, "near-value, [REDACTED]"],
])("what %s says at port %i is covered of what it may know", (host, port, covered) => {
  const cover = covers.of({ host, port });
  expect(cover && coverText(said, cover)).toBe(covered);
  // One scrubber for the same secrets.
  expect(covers.of({ host, port })).toBe(cover);
});

test("what was covered of all hosts' answers is counted together, and of what is asked before nothing is lost", () => {
  const counting = new AnswerCovers(plainScrubbers, [near, far]);
  expect(counting.counts).toEqual(new Map());
  for (const host of ["near.test", "a.far.test", "near.test"]) {
    const cover = counting.of({ host, port: 443 });
    if (cover) coverText(said, cover);
  }
  expect(counting.counts).toEqual(new Map([["value", 3]]));
});

test("what a host says that may know no secret is not looked at", () => {
  expect(covers.of({ host: "far.test", port: 443 })).toBeNull();
  expect(new AnswerCovers(plainScrubbers, []).of({ host: "near.test", port: 443 })).toBeNull();
});
