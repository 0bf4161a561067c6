import type { Tool } from "@bulkhead/client";
import { expect, test } from "vitest";
import { keeping, NOTHING, toggled } from "./selection.ts";

const shown = ["a", "b", "c", "d", "e"].map((id) => ({ id }) as Tool);
const [a, b, , d, e] = shown as [Tool, Tool, Tool, Tool, Tool];
const idsOf = (selection: typeof NOTHING): string[] => [...selection.tools.keys()].sort();

test("a tool is marked, and the second time no more", () => {
  const one = toggled(NOTHING, b, shown, false);
  expect(idsOf(one)).toEqual(["b"]);
  expect(idsOf(toggled(one, b, shown, false))).toEqual([]);
});

test("a range goes from the last one, in both directions", () => {
  const down = toggled(toggled(NOTHING, b, shown, false), d, shown, true);
  expect(idsOf(down)).toEqual(["b", "c", "d"]);
  const up = toggled(toggled(NOTHING, e, shown, false), d, shown, true);
  expect(idsOf(up)).toEqual(["d", "e"]);
});

test("a range that ends on a marked one takes the marks away", () => {
  const all = toggled(toggled(NOTHING, a, shown, false), e, shown, true);
  expect(idsOf(toggled({ ...all, last: "b" }, d, shown, true))).toEqual(["a", "e"]);
});

test("without a last one, a range is the tool alone", () => {
  expect(idsOf(toggled(NOTHING, d, shown, true))).toEqual(["d"]);
});

test("what has gone is marked no more", () => {
  const both = toggled(toggled(NOTHING, a, shown, false), b, shown, false);
  expect(idsOf(keeping(both, (id) => id !== "a"))).toEqual(["b"]);
});
