import { isInexact as isInexactOutside } from "@bulkhead/core";
import * as fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";

const said: string[] = [];
vi.mock("./bridge.ts", () => ({
  ask: () => "null",
  post: (_operation: string, _id: number, text: string, level: string) => said.push(`${level} ${text}`),
}));

const BIG = "2512292042121000001";
const TOLD = expect.stringMatching(/^warn JSON that was read has a number, "id", .*bigNumbers: "string"/);

/** A fresh copy of the module, as each run has it, with room in its log. */
async function aRun() {
  vi.resetModules();
  const { budget } = await import("./budget.ts");
  Object.assign(budget, { bytesMax: 10_000, bytesLeft: 10_000, linesLeft: 100 });
  return import("./exact-json.ts");
}

beforeEach(() => void (said.length = 0));

test("a number that is rounded is told of once in a run", async () => {
  const { readJson } = await aRun();
  expect(readJson(`{"a":[{"id":${BIG}}]}`, "number")).toEqual({ a: [{ id: Number(BIG) }] });
  expect(readJson(`{"other":${BIG}}`, "number")).toEqual({ other: Number(BIG) });
  expect(said).toEqual([TOLD]);
});

test("as a string each such number is what was written, and nothing is told", async () => {
  const { readJson } = await aRun();
  const json = `{"id":${BIG},"n":5,"f":12345678901234.567,"kept":0.30000000000000004,"in":[-${BIG} , 9007199254740991]}`;
  expect(readJson(json, "string")).toEqual({
    id: BIG,
    n: 5,
    f: "12345678901234.567",
    kept: 0.30000000000000004,
    in: [`-${BIG}`, 9007199254740991],
  });
  expect(said).toEqual([]);
});

test.each([
  `{"id":"${BIG}","text":"no, ${BIG}, and [${BIG}]"}`,
  "[0.14285714285714285,1764123456789]",
  '{"__proto__":1}',
  "null",
])("%s is as JSON.parse has it, and nothing is told", async (json) => {
  const { readJson } = await aRun();
  for (const bigNumbers of ["number", "string"] as const)
    expect(readJson(json, bigNumbers)).toEqual(JSON.parse(json));
  expect(said).toEqual([]);
});

test("what is no JSON is the SyntaxError that it is, with and without long numbers", async () => {
  const { readJson } = await aRun();
  expect(() => readJson("{", "number")).toThrow(SyntaxError);
  expect(() => readJson(`[${BIG}`, "string")).toThrow(SyntaxError);
});

test("the rule is the one for arguments", async () => {
  const { isInexact } = await aRun();
  const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,22})(\.\d{1,22})?([eE][+-]?\d{1,3})?$/);
  fc.assert(
    fc.property(digits, (source) => {
      expect(isInexact(source)).toBe(isInexactOutside(source));
    }),
    { numRuns: 3_000 },
  );
});
