import { describe, expect, it, vi } from "vitest";
import { chunk, groupBy, unique } from "./lists.ts";

vi.mock("../bridge.ts", () => ({ ask: () => "null", post: () => undefined }));

describe("unique", () => {
  const object = {};
  it.each([
    [[], []],
    [
      [1, 2, 1, "1", 2],
      [1, 2, "1"],
    ],
    [
      [Number.NaN, Number.NaN, 0, -0],
      [Number.NaN, 0],
    ],
    [
      [object, {}, object],
      [object, {}],
    ],
  ])("of %j is %j", (arr, expected) => {
    expect(unique<unknown>(arr)).toEqual(expected);
  });
});

describe("chunk", () => {
  it.each([
    [[], 2, []],
    [[1, 2, 3, 4, 5], 2, [[1, 2], [3, 4], [5]]],
    [[1, 2], 1, [[1], [2]]],
    [[1, 2], 99, [[1, 2]]],
  ])("of %j by %d is %j", (arr, size, expected) => {
    expect(chunk<number>(arr, size)).toEqual(expected);
  });
  it.each([0, -1, 1.5, Infinity])("refuses the size %d", (size) => {
    expect(() => chunk([1], size)).toThrow("utils.chunk: size must be a whole number from 1");
  });
  it("needs a size", () => {
    expect(() => chunk([1], undefined as unknown as number)).toThrow("utils.chunk: size must be a number");
  });
});

describe("groupBy", () => {
  const arr = [{ t: "b", n: 1 }, { t: "a", n: 2 }, { t: "b", n: 3 }, { n: 4 } as { t: string; n: number }];
  it("keeps groups and items in the order in which they came", () => {
    const groups = groupBy(arr, "t");
    expect(Object.entries(groups)).toEqual([
      ["b", [arr[0], arr[2]]],
      ["a", [arr[1]]],
      ["undefined", [arr[3]]],
    ]);
  });

  it("takes a function in the place of a name", () => {
    expect(groupBy([1, 2, 3], (n) => (n % 2 === 0 ? "even" : "odd"))).toEqual({ odd: [1, 3], even: [2] });
    expect(groupBy(["a", "b"], (_, index) => index)).toEqual({ 0: ["a"], 1: ["b"] });
  });

  it("copes with groups that are named like what every object has", () => {
    const names = ["__proto__", "constructor", "toString", "__proto__"];
    const groups = groupBy(
      names.map((t) => ({ t })),
      "t",
    );
    expect(Object.keys(groups)).toEqual(["__proto__", "constructor", "toString"]);
    expect(JSON.stringify(groups)).toContain(`"constructor":[{"t":"constructor"}]`);
    expect(Object.getPrototypeOf(groups)).toBe(Object.prototype);
  });

  it("puts items that have no properties under undefined", () => {
    const items = [null, 1] as unknown[] as { t: string }[];
    expect(groupBy(items, "t")).toEqual({ undefined: items });
  });

  it.each<unknown>([undefined, null, {}, ["t"]])("refuses the key %j", (key) => {
    expect(() => groupBy(arr, key as "t")).toThrow("utils.groupBy: key must be");
  });
});
