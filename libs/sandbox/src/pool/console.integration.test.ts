import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, ONE_ISOLATE, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 1, blankTarget: 1 });
});
afterAll(() => pool.close());

async function saidBy(code: string): Promise<string[]> {
  const heard = new Heard();
  const verdict = await pool.run(toolRun(code, ONE_ISOLATE), heard, new AbortController().signal);
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return heard.said.filter((line) => line !== "started");
}

describe("console", () => {
  it.each<[string, string, string[]]>([
    [
      "dir shows a value, and takes no directives",
      "console.dir({ a: 1 }, { depth: 1 }); console.dir('%s', 1)",
      ["info: { a: 1 }", "info: %s"],
    ],
    ["dirxml is log", "console.dirxml('%s', 1, [2])", ["info: 1 [2]"]],
    ["assert is silent where it holds", "console.assert(1 === 1, 'no')", []],
    [
      "assert is an error where it doesn't",
      "console.assert(false); console.assert(0, 'a %s', 'b'); console.assert('', { a: 1 })",
      ["error: Assertion failed", "error: Assertion failed: a b", "error: Assertion failed: { a: 1 }"],
    ],
    [
      "count counts by its label",
      "console.count(); console.count('a'); console.count(); console.countReset(); console.count('default'); console.countReset('b')",
      [
        "info: default: 1",
        "info: a: 1",
        "info: default: 2",
        "info: default: 1",
        'warn: There is no count "b".',
      ],
    ],
    [
      "groups are shown by an indent of every line",
      "console.group('g %d', 1); console.warn('a\\nb'); console.groupCollapsed(); console.count(); console.groupEnd(); console.log('c'); console.groupEnd(); console.groupEnd(); console.log('d')",
      ["info: g 1", "warn:   a\n  b", "info:     default: 1", "info:   c", "info: d"],
    ],
    ["clear does nothing", "console.clear(); console.log(1)", ["info: 1"]],
    [
      "table draws a list of objects",
      "console.table([{ a: 1, b: 'x' }, { a: 22, c: [1] }])",
      [
        "info: (index) | a  | b | c  \n--------+----+---+----\n0       | 1  | x |    \n1       | 22 |   | [1]",
      ],
    ],
    [
      "table draws the columns that are asked for",
      "console.table({ x: { a: 1, b: 2 } }, ['b'])",
      ["info: (index) | b\n--------+--\nx       | 2"],
    ],
    [
      "table draws lists, maps and sets of plain values",
      "console.table([1]); console.table(new Map([['k', 'v']])); console.table(new Set(['s']))",
      ["1", "v", "s"].map(
        (value, i) => `info: (index) | Values\n--------+-------\n${["0", "k", "0"][i]}       | ${value}     `,
      ),
    ],
    [
      "table logs what has no rows",
      "console.table(5); console.table('x'); console.table()",
      ["info: 5", "info: x", "info: undefined"],
    ],
    [
      "table survives what can't be read",
      "console.table(new Proxy({}, { ownKeys() { throw 1 } })); console.table([{ get a() { throw 1 } }])",
      ["info: [unreadable]", "info: (index) | a       \n--------+---------\n0       | [getter]"],
    ],
    [
      "a timer that is not there, or runs already, is a warning",
      "console.timeEnd('x'); console.timeLog(); console.time(); console.time()",
      [
        'warn: There is no timer "x".',
        'warn: There is no timer "default".',
        'warn: The timer "default" runs already.',
      ],
    ],
  ])("%s", async (_, code, lines) => {
    expect(await saidBy(code)).toEqual(lines);
  });

  it("times in whole milliseconds, whatever the tool makes of Date", async () => {
    const code = `Date.now = () => 5; console.time("t"); await new Promise((done) => setTimeout(done, 15));
      console.timeLog("t", "so far", [1]); console.timeEnd("t"); console.timeEnd("t")`;
    expect(await saidBy(code)).toEqual([
      expect.stringMatching(/^info: t: \d{2,}ms so far \[1\]$/),
      expect.stringMatching(/^info: t: \d{2,}ms$/),
      'warn: There is no timer "t".',
    ]);
  });

  it("traces the tool's own frames alone", async () => {
    const [line = "", ...more] = await saidBy("function f() { console.trace('at %s', 'f') }\nf()");
    expect(more).toEqual([]);
    expect(line).toMatch(/^info: Trace: at f\n {4}at f \(tool\.js:1:\d+\)\n {4}at \S*\s?\(?tool\.js:2:1\)?$/);
  });

  it("traces without frames where the tool's own code makes the stack", async () => {
    const code =
      "Error.prepareStackTrace = () => ({}); console.trace(); Error.prepareStackTrace = () => { throw 1 }; try { console.trace() } catch {}";
    expect((await saidBy(code))[0]).toBe("info: Trace");
  });

  it.each([
    "console.table(Array.from({ length: 1e5 }, (_, i) => Object.fromEntries(Array.from({ length: i < 100 ? 50 : 0 }, (_, k) => ['k' + k, 'x'.repeat(1e4)]))))",
    "console.table('x'.repeat(5e8))",
    "console.table({ a: 'x'.repeat(5e8) }, ['y'.repeat(5e8)])",
    "console.table(Array(1e9))",
    "for (let i = 0; i < 1e5; i++) console.group(); console.log('\\n'.repeat(1e4))",
    "console.count('x'.repeat(1e6))",
    "console.trace('x'.repeat(5e8)); ",
    "console.assert(false, 'x'.repeat(5e8), ...Array.from({ length: 1e4 }, () => 'y'.repeat(1e4)))",
  ])("keeps the bounds of a line: %s", async (code) => {
    const lines = (await saidBy(code)).filter((line) => !line.startsWith("warn"));
    expect(lines).toHaveLength(1);
    expect(Buffer.byteLength(lines[0] ?? "")).toBeLessThan(8_300);
  });

  it("works when a tool breaks the language's own objects", async () => {
    const code = `const { then } = Promise.prototype;
      for (const P of [Array, Map, Set, String, RegExp, Object]) for (const key of Object.getOwnPropertyNames(P.prototype))
        if (typeof Object.getOwnPropertyDescriptor(P.prototype, key).value === "function" && key !== "constructor") P.prototype[key] = () => { throw new Error("broken") };
      console.table([{ a: 1 }]); console.group("g"); console.count("c"); console.groupEnd(); console.assert(0, "m"); console.dir([1]);
      console.time("t"); console.timeEnd("u")`;
    expect((await saidBy(code)).map((line) => line.split("\n")[0])).toEqual([
      "info: (index) | a",
      "info: g",
      "info:   c: 1",
      "error: Assertion failed: m",
      "info: [1]",
      'warn: There is no timer "u".',
    ]);
  });
});
