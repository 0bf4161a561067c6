import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonFaultAt } from "./json-fault.ts";
import { parseJson, toJson } from "./json.ts";

describe("parseJson", () => {
  it.each([
    ['{"a":[1,null,"x"]}', { a: [1, null, "x"] }],
    [" 12 ", 12],
    ['"é"', "é"],
  ])("of %j is the value", (text, expected) => {
    expect(parseJson(text)).toEqual(expected);
  });

  it("keeps keys such as __proto__ as plain data", () => {
    const value = parseJson('{"__proto__":{"polluted":1},"constructor":2}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value["polluted"]).toBeUndefined();
  });

  it.each([
    ["", "the text ends too early, at position 0 (line 1, column 1)"],
    ['{"a":', "the text ends too early, at position 5 (line 1, column 6)"],
    ["abc", 'unexpected "a" at position 0 (line 1, column 1)'],
    ["{a:1}", 'unexpected "a" at position 1 (line 1, column 2)'],
    ['{\n  "a": 1,\n}', 'unexpected "}" at position 12 (line 3, column 1)'],
    ["[1,]", 'unexpected "]" at position 3 (line 1, column 4)'],
    ["[1 2]", 'unexpected "2" at position 3 (line 1, column 4)'],
    ['{"a" 1}', 'unexpected "1" at position 5 (line 1, column 6)'],
    ["{1:1}", 'unexpected "1" at position 1 (line 1, column 2)'],
    ["1 😀", 'unexpected "😀" at position 2 (line 1, column 3)'],
    ["01", 'unexpected "1" at position 1 (line 1, column 2)'],
    ["1.e5", 'unexpected "e" at position 2 (line 1, column 3)'],
    ["-", "the text ends too early, at position 1 (line 1, column 2)"],
    ["nul!", 'unexpected "!" at position 3 (line 1, column 4)'],
    ['"a\nb"', 'unexpected "\\n" at position 2 (line 1, column 3)'],
    [String.raw`"\x"`, 'unexpected "x" at position 2 (line 1, column 3)'],
    [String.raw`"\u12g4"`, 'unexpected "g" at position 5 (line 1, column 6)'],
    ['"abc', "the text ends too early, at position 4 (line 1, column 5)"],
    ["]", 'unexpected "]" at position 0 (line 1, column 1)'],
    ["[1}", 'unexpected "}" at position 2 (line 1, column 3)'],
    ["\u{feff}1", 'unexpected "\u{feff}" at position 0 (line 1, column 1)'],
  ])("of %j tells what stands where", (text, message) => {
    expect(() => parseJson(text)).toThrow(new SyntaxError(`utils.parseJson: ${message}`));
  });

  it("finds a place exactly where JSON.parse finds a fault", () => {
    const damaged = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom("", "}", "]", ",", '"', "\\", "1", "-", "e", "\n", "t"),
    );
    const agrees = fc.property(damaged, ([json, at, put]) => {
      const cut = at % (json.length + 1);
      const text = json.slice(0, cut) + put + json.slice(cut + 1);
      let place: number | null = null;
      try {
        JSON.parse(text);
      } catch (error) {
        place = Number(/at position (\d+)/.exec((error as Error).message)?.[1] ?? -1);
      }
      const found = jsonFaultAt(text);
      expect(found === null, text).toBe(place === null);
      if (place !== null && place >= 0) expect(found, text).toBe(place);
    });
    fc.assert(agrees, { numRuns: 2_000 });
  });
});

describe("toJson", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;

  it("indents by two, or by what it is told", () => {
    expect(toJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(toJson({ a: [1] }, 0)).toBe('{"a":[1]}');
    expect(toJson({ a: 1 }, 4)).toBe('{\n    "a": 1\n}');
    expect(toJson(null)).toBe("null");
  });

  it.each([
    ["a circle", circle, "data contains itself"],
    ["a BigInt", { a: [1n] }, "data has a BigInt, which JSON can't hold"],
    ["nothing", undefined, "data is undefined, which JSON can't hold"],
    ["a function", () => 1, "data is a function, which JSON can't hold"],
    ["a symbol", Symbol("x"), "data is a symbol, which JSON can't hold"],
  ])("of %s is refused", (_, data, message) => {
    expect(() => toJson(data)).toThrow(new TypeError(`utils.toJson: ${message}`));
  });

  it("lets an error of the data's own through", () => {
    const own = new RangeError("mine");
    const data = {
      toJSON() {
        throw own;
      },
    };
    expect(() => toJson(data)).toThrow(own);
  });

  it.each([-1, 11, 1.5])("refuses an indent of %d", (indent) => {
    expect(() => toJson({}, indent)).toThrow("utils.toJson: indent must be a whole number from 0 to 10");
  });
});
