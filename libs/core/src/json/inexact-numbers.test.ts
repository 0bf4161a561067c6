import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eachInexact, isInexact } from "./inexact-numbers.ts";

describe("a number that JavaScript doesn't keep is told from one that it does", () => {
  test.each([
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "2512292042121000001",
    "10000000000000000",
    "12345678901234567890123456789",
    "9007199254740993.0",
    "9007199254740.9931",
    "12345678901234.567",
    "3.14159265358979323846",
    "1e-400",
    "1e400",
  ])("%s is not kept", (source) => {
    expect(isInexact(source)).toBe(true);
  });

  test.each([
    "0",
    "-0",
    "9007199254740991",
    "-9007199254740991",
    "0.1",
    "0.30000000000000004",
    "3.141592653589793",
    "0.10000000000000000555",
    "0.50000000000000000000000",
    "1e23",
    "1.5e300",
    "1E+5",
    "5e-324",
    "1.7976931348623157e308",
    "0.00000000000000000000001",
    "1000000.000000000000",
    "0.000",
    "0e-999",
    "0.9999999999999999999",
    "1.2345678901234567891e10",
  ])("%s is kept", (source) => {
    expect(isInexact(source)).toBe(false);
  });

  test("everything that JavaScript writes itself is kept, but integers beyond the safe ones", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const source = JSON.stringify(value);
        const isBeyond = /^-?\d+$/.test(source) && !Number.isSafeInteger(value);
        expect(isInexact(source)).toBe(isBeyond);
      }),
    );
  });
});

const pathsIn = (json: string): string[] => {
  const paths: string[] = [];
  eachInexact(
    json,
    "in",
    (zone, name) => (name === "out" ? "out" : zone),
    ({ zone, path }) => {
      if (zone === "in") paths.push(path().join("."));
      return true;
    },
  );
  return paths;
};
const BIG = "2512292042121000001";

test.each<[string, string[]]>([
  [BIG, [""]],
  [`{"id": ${BIG}}`, ["id"]],
  [`{"a":[1,{"b":"${BIG}","c":[0,${BIG}]}],"d":${BIG}}`, ["a.1.c.1", "d"]],
  [`{"a":{"x":1},"b":{"y":[[${BIG}]]},"c":"${BIG}"}`, ["b.y.0.0"]],
  [`{"a\\"b":{"\\u0069d":-${BIG}}}`, ['a"b.id']],
  [`{"\\\\":"\\\\\\"","id":${BIG}}`, ["id"]],
  [`["\\"${BIG},",${BIG} , 1]`, ["1"]],
  [`{"out":{"a":${BIG},"b":[${BIG}]},"b":${BIG}}`, ["b"]],
  [`{"out":${BIG},"b":${BIG}}`, ["b"]],
  [`{"a":{"out":{}},"b":[{},[],${BIG}]}`, ["b.2"]],
  [`{"text":"id ${BIG}, or [${BIG}]"}`, []],
  ["{}", []],
])("%s has them at %j", (json, paths) => {
  expect(pathsIn(json)).toEqual(paths);
});

test("it finds what a slow reader finds, in any JSON", () => {
  const number = fc.constantFrom(BIG, "1", "-2.5e3", "9007199254740993", "0.1234567890123456789");
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      number,
      fc.string().map((text) => JSON.stringify(text)),
      fc.constantFrom('"\\\\"', '"\\\\\\""', `"${BIG}"`, "null", "true"),
      fc.array(tie("json")).map((items) => `[${items.join(" , ")}]`),
      fc
        .uniqueArray(fc.tuple(fc.string(), tie("json")), { selector: ([name]) => name })
        .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)} :${value}`).join(",")}}`),
    ),
  }));
  fc.assert(
    fc.property(json, (text) => {
      let count = 0;
      JSON.parse(text, (_name, value: unknown, { source }: { source?: string } = {}) => {
        if (typeof value === "number" && source !== undefined && isInexact(source)) count += 1;
        return value;
      });
      let found = 0;
      eachInexact(
        text,
        null,
        () => null,
        () => {
          found += 1;
          return true;
        },
      );
      expect(found).toBe(count);
    }),
  );
});

test("hostile texts take linear time", () => {
  const size = 2 * 1024 * 1024;
  const long = "9".repeat(20);
  for (const text of [
    `[${`${long},`.repeat(size / 21)}1]`,
    `["${"\\\\".repeat(size / 4)}",${long}]`,
    `["${'\\"'.repeat(size / 2)}",${long}]`,
    `${"[".repeat(size / 2)}${long}${"]".repeat(size / 2)}`,
    `[0.${"0".repeat(size)}1]`,
    `[${"1".repeat(size / 2)}.${"9".repeat(size / 2)}]`,
    `[1.${"0".repeat(size)}]`,
  ])
    eachInexact(
      text,
      null,
      () => null,
      () => true,
    );
});
