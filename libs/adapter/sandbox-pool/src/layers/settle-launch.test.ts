import { expect, test } from "vitest";
import { withMostLayers } from "./settle-launch.ts";

const settled = (reasons: Record<string, string>, found: object | null = {}) => ({ found, reasons });
const WHOLE = settled({});
const WITHOUT_ONE = settled({ landlock: "it died" });
const NONE = settled({ landlock: "it died" }, null);

test.each([
  ["whole as it is, and nothing else is tried", WHOLE, null, WHOLE],
  ["the other one where it died", NONE, WITHOUT_ONE, WITHOUT_ONE],
  ["the other one where that has a layer more", WITHOUT_ONE, WHOLE, WHOLE],
  [
    "the first one where the other has no layer more",
    WITHOUT_ONE,
    settled({ landlock: "old kernel" }),
    WITHOUT_ONE,
  ],
  ["the first one where neither starts", NONE, settled({}, null), NONE],
])("a start is settled: %s", async (_what, first, other, chosen) => {
  const tried: unknown[] = [];
  const settleOther = async () => {
    tried.push(other);
    return other ?? NONE;
  };
  expect(await withMostLayers(first, settleOther)).toBe(chosen);
  expect(tried).toEqual(other === null ? [] : [other]);
});
