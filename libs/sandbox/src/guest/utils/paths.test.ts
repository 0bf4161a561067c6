import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flatten, getPath } from "./paths.ts";

describe("flatten", () => {
  const date = new Date(0);
  it.each([
    ["nested objects", { a: { b: { c: 1 } }, d: 2 }, { "a.b.c": 1, d: 2 }],
    ["arrays", { a: [1, { b: 2 }, [3]] }, { "a[0]": 1, "a[1].b": 2, "a[2][0]": 3 }],
    ["an array", [1, { a: 2 }], { "[0]": 1, "[1].a": 2 }],
    ["empty ones", { a: {}, b: [] }, { a: {}, b: [] }],
    ["what is neither", { a: null, b: undefined, c: date }, { a: null, b: undefined, c: date }],
    [
      "names that could be misread",
      { "a.b": { "": 1, "[0]": 2 } },
      { '["a.b"][""]': 1, '["a.b"]["[0]"]': 2 },
    ],
    ["nothing", {}, {}],
  ])("of %s has a name for each leaf", (_, value, expected) => {
    expect(flatten(value)).toEqual(expected);
  });

  it("starts every name with the prefix", () => {
    expect(flatten({ a: { b: 1 }, c: [2] }, "p.q")).toEqual({ "p.q.a.b": 1, "p.q.c[0]": 2 });
  });

  it("is undone by getPath, whatever the names", () => {
    const inverse = fc.property(fc.object({ maxDepth: 4 }), (value) => {
      for (const [path, leaf] of Object.entries(flatten(value))) expect(getPath(value, path)).toBe(leaf);
    });
    fc.assert(inverse, { numRuns: 300 });
  });

  it("keeps __proto__ as plain data", () => {
    const flat = flatten(JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":2}}') as object);
    expect(Object.entries(flat)).toEqual([
      ["__proto__.a", 1],
      ["b.__proto__", 2],
    ]);
    expect(Object.keys(flatten(JSON.parse('{"__proto__":3}') as object))).toEqual(["__proto__"]);
  });

  it("refuses cycles and depth by name, but not what is merely used twice", () => {
    const circle: Record<string, unknown> = {};
    circle["a"] = { circle };
    expect(() => flatten(circle)).toThrow(new TypeError("utils.flatten: obj contains itself"));
    const shared = { x: 1 };
    expect(flatten({ a: shared, b: shared })).toEqual({ "a.x": 1, "b.x": 1 });
    let deep: object = { end: 1 };
    for (let i = 0; i < 100; i++) deep = { a: deep };
    expect(() => flatten(deep)).toThrow(
      new RangeError("utils.flatten: obj is nested deeper than 100 levels"),
    );
  });

  it.each([null, undefined, 1, "text"])("refuses %s", (value) => {
    expect(() => flatten(value as unknown as object)).toThrow("utils.flatten: obj must be an object");
  });
});

describe("getPath", () => {
  const value = { a: { b: [{ c: 1 }, [2]], "d.e": 3, n: null }, "": 4, list: [5], t: "text" };
  it.each([
    ["a.b[0].c", 1],
    ["a.b[1][0]", 2],
    ["a.b.0.c", 1],
    ['a["d.e"]', 3],
    ['[""]', 4],
    ["list.length", 1],
    ["a.n", null],
    ["", value],
    ["a.x", undefined],
    ["a.x.y.z", undefined],
    ["a.n.x", undefined],
    ["a.b[7].c", undefined],
    ["t.length", undefined],
    ["constructor", undefined],
    ["__proto__", undefined],
    ["a.constructor.constructor", undefined],
    ["a.b.map", undefined],
    ["a.__proto__.toString", undefined],
  ])("at %j is %j", (path, expected) => {
    expect(getPath(value, path)).toBe(expected);
  });

  it.each([null, undefined, 1, "text", () => 1])("of %s has nothing within", (nothing) => {
    expect(getPath(nothing, "a.b")).toBeUndefined();
  });

  it.each([
    ["a..b", 1],
    [".a", 0],
    ["a.", 1],
    ["a[", 1],
    ["a[-1]", 1],
    ["a[b]", 1],
    ["a[0]b", 4],
    ["a]", 1],
    [String.raw`["\x"]`, 0],
  ])("can't read %j", (path, at) => {
    expect(() => getPath({}, path)).toThrow(`utils.getPath: path can't be read at position ${at}`);
  });

  it("copes with a getter that looks up a path itself", () => {
    const inner = {
      get b() {
        return { c: getPath({ x: { y: 1 } }, "x.y") };
      },
    };
    expect(getPath({ a: inner }, "a.b.c")).toBe(1);
  });
});
