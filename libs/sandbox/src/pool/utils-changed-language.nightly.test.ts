import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 1, blankTarget: 1 });
});
afterAll(() => pool.close());

async function valueOf(code: string): Promise<unknown> {
  const verdict = await runQuietly(pool, toolRun(code, {}, { cpuMs: 20_000, wallMs: 60_000 }));
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return verdict.outcome === "returned" ? JSON.parse(verdict.json) : undefined;
}

it("utils tells the time by the language's own clock, whatever the tool makes of Date", async () => {
  const code = `const OwnDate = Date; const at = Date.now(); Date.now = () => 5; Date.prototype.toISOString = () => "never"; Date = null;
    return [utils.timestamp() - at, OwnDate.parse(utils.now()) - at, utils.dateDiff(at, "now", "seconds") * 1000]`;
  const passed = (await valueOf(code)) as number[];
  expect(passed).toHaveLength(3);
  for (const ms of passed) expect(ms).toSatisfy((value: number) => value >= 0 && value < 30_000);
});

it("utils judges as ever where a tool has replaced every method of texts, lists and patterns", async () => {
  const code = `for (const P of [String, Array, RegExp]) for (const key of Object.getOwnPropertyNames(P.prototype))
      if (typeof Object.getOwnPropertyDescriptor(P.prototype, key).value === "function" && key !== "constructor") P.prototype[key] = () => { throw new Error("broken") };
    JSON.parse = Number.isNaN = Number.isInteger = Array.isArray = () => { throw new Error("broken") };
    SyntaxError = null;
    const u = utils;
    return [u.isEmail("a.b@c.example"), u.isEmail("a@b"), u.isUrl("https://[2001:db8::1]:8080/x"), u.isUrl("http://1.2.3.4"), u.isUrl("http://1.2.3.400"),
      u.isUrl("https://a_b.example./"), u.isUuid("x"), u.isJson("[1]"), u.isJson("["), u.clamp(5, 1, 3), typeof u.randomInt(1, 2)]`;
  expect(await valueOf(code)).toEqual([
    true,
    false,
    true,
    true,
    false,
    true,
    false,
    true,
    false,
    3,
    "number",
  ]);
});

it.each([
  ["slugify", "é", "e"],
  ["slugify", "Ab Ж", "ab-zh"],
  ["removeDiacritics", "é", "e"],
  ["removeDiacritics", "e\u0301", "e"],
])("utils.%s of two million %j needs no more memory than a tool has", async (name, piece, expected) => {
  const long = `utils.${name}("${piece} ".repeat(1e6).trim())`;
  const separator = name === "slugify" ? "-" : " ";
  const code = `const made = ${long}; return [made.length, made.slice(0, 40), made.slice(-40)]`;
  const whole = `${expected}${separator}`.repeat(40);
  expect(await valueOf(code)).toEqual([
    1e6 * (expected.length + 1) - 1,
    whole.slice(0, 40),
    whole.slice(0, -1).slice(-40),
  ]);
});

it.each([
  ["camelCase", 2_000_000],
  ["snakeCase", 3_999_999],
  ["kebabCase", 3_999_999],
  ["titleCase", 4_000_000],
  ["countWords", 2_000_000],
])("utils.%s of two million words needs no more memory than a tool has", async (name, expected) => {
  const code = `const made = utils.${name}("a ".repeat(2e6)); return made.length ?? made`;
  expect(await valueOf(code)).toBe(expected);
});
