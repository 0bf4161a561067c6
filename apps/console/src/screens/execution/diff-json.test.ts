import { expect, test } from "vitest";
import { diffJson } from "./diff-json.ts";

test("places that differ are told with both values, and equal ones as the same", () => {
  const { lines, isCut } = diffJson(
    { city: "Kiel", lines: [{ id: 1, amount: 2 }, 5], "odd name": 1, gone: null },
    { city: "Kiel", lines: [{ id: 1, amount: 3 }], "odd name": 2, come: {} },
  );
  expect(isCut).toBe(false);
  expect(lines.map(({ path, change }) => [path, change])).toEqual([
    ["city", "same"],
    ["lines[0].id", "same"],
    ["lines[0].amount", "changed"],
    ["lines[1]", "removed"],
    ['["odd name"]', "changed"],
    ["gone", "removed"],
    ["come", "added"],
  ]);
});

test.each([
  [1, 1, "same"],
  [1, "1", "changed"],
  [null, {}, "changed"],
  [[], {}, "changed"],
  [{}, {}, "same"],
])("%j and %j as a whole are told as one place", (a, b, change) => {
  expect(diffJson(a, b).lines).toEqual([{ path: "", change, a, b }]);
});

test("it ends where too much is to be compared, and names of the language's own are only names", () => {
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`n${n}`, n]));
  expect(diffJson(many, {})).toMatchObject({ isCut: true, lines: { length: 2_000 } });
  expect(diffJson(JSON.parse('{"__proto__": 1}'), {}).lines).toEqual([
    { path: "__proto__", change: "removed", a: 1, b: undefined },
  ]);
});
