import { expect, test } from "vitest";
import { openScrubTally } from "./scrub-tally.ts";

const NOT_REPORTED = (): void => undefined;

test("what was covered is written as one sum for each tenant and kind", async () => {
  const written: [string, Record<string, number>][] = [];
  const add = (tenantId: string, counts: ReadonlyMap<string, number>) =>
    Promise.resolve(void written.push([tenantId, Object.fromEntries(counts)]));
  const tally = openScrubTally({ scrubCounts: { add }, report: NOT_REPORTED });
  tally.tally("ten_a", new Map([["value", 2]]));
  tally.tally("ten_b", new Map([["jwt", 1]]));
  tally.tally(
    "ten_a",
    new Map([
      ["value", 1],
      ["jwt", 4],
    ]),
  );
  tally.tally("ten_c", new Map());
  await tally.close();
  expect(written).toEqual([
    ["ten_a", { value: 3, jwt: 4 }],
    ["ten_b", { jwt: 1 }],
  ]);
});

test("what can't be written when the worker stops is reported and stops nothing", async () => {
  const add = () => Promise.reject(new Error("away"));
  const reported: string[] = [];
  const tally = openScrubTally({ scrubCounts: { add }, report: (what) => void reported.push(what) });
  tally.tally("ten_a", new Map([["value", 1]]));
  await tally.close();
  expect(reported).toEqual(["writing the counts of covered values failed"]);
});
