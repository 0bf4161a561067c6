import { everyNth, leakCheck } from "@bulkhead/testing";
import { LOG_LINE_BYTES_MAX, LOG_LINES_MAX } from "../wire/bounds.ts";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, ONE_ISOLATE, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 2, blankTarget: 0 });
});
afterAll(() => pool.close());

/** What a run said, without its start; long lines by their first characters. */
async function saidBy(code: string, logBytes = 262_144): Promise<string[]> {
  const heard = new Heard();
  const run = toolRun(code, { network: true, ...ONE_ISOLATE }, { logBytes });
  expect(await pool.run(run, heard, new AbortController().signal)).toMatchObject({ outcome: "returned" });
  return heard.said.slice(1).map((line) => line.slice(0, 120));
}

describe("what is too large to be said is named, and the rest goes on:", () => {
  it("an emitted value", async () => {
    expect(await saidBy("emit('x'.repeat(300000)); emit({ a: 1 }); console.log('on')")).toEqual([
      expect.stringMatching(
        /^warn: An emitted value of 300000 characters was left out: 262144 of 262144 bytes/,
      ),
      'progress: {"a":1}',
      "info: on",
    ]);
  });

  it("a value that no longer fits, at the cost of its warning alone", async () => {
    const said = await saidBy(
      "emit('x'.repeat(200000)); emit(['y'.repeat(100000)]); emit('z'.repeat(60000)); emit(1)",
    );
    expect(said.map((line) => line.slice(0, 18))).toEqual([
      'progress: "xxxxxxx',
      "warn: An emitted v",
      'progress: "zzzzzzz',
      "progress: 1",
    ]);
  });

  it("a line longer than the whole limit", async () => {
    expect(await saidBy("console.log('ä'.repeat(600)); console.log('on')", 1_000)).toEqual([
      expect.stringMatching(/^warn: A log line of 600 characters was left out/),
      "info: on",
    ]);
  });

  it("until the limit is reached by what is ordinary, which is said once", async () => {
    const said = await saidBy("for (let i = 0; i < 100; i++) console.log('x'.repeat(8000)); emit(1)");
    expect(said.filter((line) => line.startsWith("warn"))).toEqual([
      "warn: The log limit (limits.logBytes) is reached; the rest of the output is cut off.",
    ]);
    expect(said.at(-1)).toMatch(/cut off/);
  });

  it("or by their number, which is said instead", async () => {
    const said = await saidBy("for (let i = 0; i < 12000; i++) i % 2 ? emit(1) : console.log(1)");
    expect(said).toHaveLength(LOG_LINES_MAX + 1);
    const lines = LOG_LINES_MAX.toLocaleString("en-US");
    expect(said.at(-1)).toBe(
      `warn: The log limit (${lines} lines and emitted values of a run) is reached; the rest of the output is cut off.`,
    );
  });

  it("but a run of just as many is told whole", async () => {
    const said = await saidBy(`for (let i = 0; i < ${LOG_LINES_MAX}; i++) emit(i)`);
    expect(said).toHaveLength(LOG_LINES_MAX);
    expect(said.at(-1)).toBe(`progress: ${LOG_LINES_MAX - 1}`);
  });

  it("and a flood of it ends within the limit", async () => {
    const said = await saidBy("for (let i = 0; i < 1000; i++) emit('x'.repeat(20000))", 30_000);
    expect(said.length).toBeLessThan(120);
    expect(said.at(-1)).toMatch(/cut off/);
  });
});

describe("a line that is longer than a line may be is cut, and one warning says so", () => {
  const WARNING = `warn: Log lines end at ${LOG_LINE_BYTES_MAX.toLocaleString("en-US")} bytes; longer ones are cut.`;
  const warnings = (said: string[]): string[] => said.filter((line) => line.startsWith("warn"));

  it("behind the first of them", async () => {
    const said = await saidBy("for (let i = 0; i < 3; i++) console.log('x'.repeat(9000)); console.log('on')");
    expect(said.map((line) => line.slice(0, 8))).toEqual([
      "info: xx",
      "warn: Lo",
      "info: xx",
      "info: xx",
      "info: on",
    ]);
    expect(warnings(said)).toEqual([WARNING]);
  });

  it("where nobody caught what was thrown too", async () => {
    const said = await saidBy(
      "setTimeout(() => { throw new Error('x'.repeat(9000)) }); await new Promise((r) => setTimeout(r, 20))",
    );
    expect(said).toEqual([expect.stringMatching(/^error: Uncaught Error: x/), WARNING]);
  });

  it("but not where it just fits, nor where it was left out", async () => {
    expect(warnings(await saidBy("console.log('x'.repeat(8192))"))).toEqual([]);
    expect(warnings(await saidBy("console.log('x'.repeat(9000))", 1_000))).toEqual([
      expect.stringContaining("was left out"),
    ]);
  });
});

test("a warning of a cut line that has no room takes none from what comes after it", async () => {
  // The cut line leaves 37 bytes.
  const said = await saidBy("console.log('x'.repeat(9000)); console.log('on')", LOG_LINE_BYTES_MAX + 38);
  expect(said.map((line) => line.slice(0, 8))).toEqual(["info: xx", "info: on"]);
});

describe("an error is told with its cause", () => {
  it.each([
    [
      "new Error('a', { cause: new RangeError('b') })",
      "Error: a [cause: RangeError: b (tool.js:1:31)] (tool.js:1:7)",
    ],
    ["new Error('a', { cause: 'b' })", "Error: a [cause: Error: b] (tool.js:1:7)"],
    ["new Error('a', { cause: undefined })", "Error: a (tool.js:1:7)"],
  ])("%s", async (thrown, message) => {
    expect(await runQuietly(pool, toolRun(`throw ${thrown}`))).toMatchObject({ outcome: "threw", message });
  });

  it("in the log too", async () => {
    expect(await saidBy("console.log(new Error('a', { cause: new Error('b') }))")).toEqual([
      "info: Error: a [cause: Error: b (tool.js:1:37)] (tool.js:1:13)",
    ]);
  });
});

describe("a result that JSON has no words for is returned with one warning", () => {
  it.each([
    ["new WeakMap()", "The tool returned a WeakMap; only JSON leaves the sandbox: it became {}."],
    ["new Blob(['x'])", "The tool returned a Blob;"],
    ["0 / 0", "The tool returned NaN; only JSON leaves the sandbox: it became null."],
    ["({ a: 1, later: (async () => 1)() })", `The result's "later" is a Promise;`],
    ["[1, () => 1]", `The result's "[1]" is a Function;`],
    [
      "({ a: [1, { b: [Infinity] }] })",
      `The result's "a[1].b[0]" is Infinity; only JSON leaves the sandbox: it became null.`,
    ],
    [
      "[1, undefined, undefined]",
      `The result's "[1]" is undefined; only JSON leaves the sandbox: it became null.`,
    ],
    ["new Map([['a', [-1 / 0]]])", `The result's "a[0]" is -Infinity;`],
    ["({ when: new Set([Symbol('x')]) })", `The result's "when[0]" is a Symbol;`],
    ["({ at: /x/ })", `The result's "at" is a RegExp;`],
    ["[function* () {}()]", `The result's "[0]" is a Generator;`],
  ])("%s", async (value, warning) => {
    expect(await saidBy(`return ${value}`)).toEqual([
      expect.stringContaining(`warn: ${warning}`.slice(0, 100)),
    ]);
  });

  it.each([
    "1",
    "null",
    "({ a: [1], at: new Date(0), url: new URL('https://a.example') })",
    "Object.assign(new Map(), { toJSON: () => [1] })",
    "new (class Point { x = 1 })()",
    "new Proxy({}, { getOwnPropertyDescriptor() { throw 1 } })",
  ])("and %s without one", async (value) => {
    expect(await saidBy(`return ${value}`)).toEqual([]);
  });
});

describe("an emitted value that JSON has no words for is sent with one warning", () => {
  it.each([
    ["emit(/x/)", "{}", "The tool emitted a RegExp; only JSON leaves the sandbox: it became {}."],
    [
      "emit({ a: 1, s: new WeakSet() })",
      '{"a":1,"s":{}}',
      `An emitted value's "s" is a WeakSet; only JSON leaves`,
    ],
    ["emit([new Response('x')])", "[{}]", `An emitted value's "[0]" is a Response;`],
  ])("%s", async (code, json, warning) => {
    expect(await saidBy(code)).toEqual([`progress: ${json}`, expect.stringContaining(`warn: ${warning}`)]);
  });

  it("for each kind, however often it comes, and the result with its own", async () => {
    const code = `const bad = [new WeakMap(), new WeakSet(), { a: new WeakMap() }];
      for (let i = 0; i < 300; i++) emit(bad[i % 3]);
      return bad[0]`;
    const said = await saidBy(code);
    expect(said.length).toBe(303);
    expect(said.filter((line) => line.startsWith("warn"))).toEqual([
      expect.stringContaining("emitted a WeakMap;"),
      expect.stringContaining("emitted a WeakSet;"),
      expect.stringContaining("returned a WeakMap;"),
    ]);
  });

  it.each(["1", "[1]", "({ a: { b: [null] } })", "new Uint8Array(2)", "new Date(0)", "undefined"])(
    "and %s without one",
    async (value) => {
      expect(await saidBy(`emit(${value})`)).toEqual([expect.stringMatching(/^progress: /)]);
    },
  );
});

describe("what was thrown is shown, although it is no error:", () => {
  it.each([
    ["{ a: 1, b: { c: ['x'] } }", 'Error: { a: 1, b: { c: ["x"] } }'],
    ["{ code: 5, message: 'said' }", "Error: said"],
    ["new Map([[1, 2]])", "Error: Map(1) { 1 => 2 }"],
    ["{ get a() { throw 1 }, b: 2 }", "Error: { a: [unreadable], b: 2 }"],
    ["{ name: 'Refused', why: 1 }", 'Refused: { name: "Refused", why: 1 }'],
    ["Object.create(null)", "Error: {}"],
    ["new Proxy({}, { ownKeys() { throw 1 } })", "Error: [unreadable]"],
    ["new Error('')", "Error:  (tool.js:1:7)"],
  ])("%s", async (thrown, message) => {
    expect(await runQuietly(pool, toolRun(`throw ${thrown}`))).toMatchObject({ outcome: "threw", message });
  });

  it("within the bound of a message", async () => {
    const verdict = await runQuietly(pool, toolRun("throw { a: 'x'.repeat(1e6) }"));
    expect("message" in verdict && verdict.message.length).toBeLessThan(2_000);
  });
});

describe("console.log writes by the directives of its first text:", () => {
  const DEEP = "{ a: { b: { c: { d: { e: 1 } } } } }";
  it.each([
    ["'%s is %d', 'a', 1", "a is 1"],
    ["'%s %s %s %s', 1n, null, Symbol('x'), [1, 2]", "1 null Symbol(x) 1,2"],
    ["'%d %i %d %i', 4.7, '3.7px', 'x', Symbol('x')", "4 3 NaN NaN"],
    ["'%f %f', '2.5x', Symbol('x')", "2.5 NaN"],
    ["'%o %O %o', { a: [1] }, { b: 'x' }, 'x'", '{ a: [1] } { b: "x" } "x"'],
    [`'%o', ${DEEP}`, "{ a: { b: { c: { d: {…} } } } }"],
    ["'%j %j %j', { a: [1] }, 'x', undefined", '{"a":[1]} "x" undefined'],
    ["'a%cb', 'color: red'", "ab"],
    ["'100%% of %s', 'x'", "100% of x"],
    ["'%s', '%s', 'x'", "%s x"],
    ["'%s %s', 1", "1 %s"],
    ["'%x 5% %', 1, { a: 1 }", "%x 5% % 1 { a: 1 }"],
    ["'%%'", "%%"],
    ["1, '%s', 2", "1 %s 2"],
    ["'%s|%j|%d', { toString() { throw 1 } }, { toJSON() { throw 1 } }, 1", "[unreadable]|[unreadable]|1"],
  ])("%s", async (values, line) => {
    expect(await saidBy(`console.log(${values})`)).toEqual([`info: ${line}`]);
    expect(await saidBy(`api.log(${values})`)).toEqual([`info: ${line}`]);
  });

  const LONG = [
    "'%s'.repeat(5000), ...Array.from({ length: 5000 }, () => 'x'.repeat(1e6))",
    "'%s %o %j', 'x'.repeat(5e8), 'y'.repeat(5e8), 'z'.repeat(5e8)",
    "'%s', ...Array.from({ length: 100000 }, () => 'x'.repeat(1e4))",
    "'%d%f', 'x'.repeat(5e8), 'x'.repeat(5e8)",
    "'%'.repeat(5e8), 1",
  ];
  it.each(everyNth(LONG, 4))("within the bounds of a line: %s", async (values) => {
    const heard = new Heard();
    const run = toolRun(`console.log(${values})`);
    expect(await pool.run(run, heard, new AbortController().signal)).toMatchObject({ outcome: "returned" });
    const lines = heard.said.filter((line) => line.startsWith("info"));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.length).toBeLessThan(8_300);
  });
});

describe("a function prints", () => {
  it("as a built-in where it is not the tool's", async () => {
    const code = `return [fetch, URL, utils.slugify, URL.prototype.toString, Math.max, fetch.toString]
      .map((f) => [String(f), f.toString(), Reflect.getPrototypeOf(f).toString.call(f)])`;
    const { json = "" } = (await runQuietly(pool, toolRun(code, { network: true }))) as { json?: string };
    const names = ["fetch", "URL", "slugify", "toString", "max", "toString"];
    expect(JSON.parse(json)).toEqual(
      names.map((name) => Array.from({ length: 3 }, () => `function ${name}() { [native code] }`)),
    );
  });

  it("as it was written where it is the tool's, and nothing else prints at all", async () => {
    const code =
      "const f = (a) => a; return [String(f), `${class A { x() {} }}`, (() => { try { f.toString.call({}) } catch (e) { return e.name } })()]";
    expect(await runQuietly(pool, toolRun(code))).toMatchObject({
      json: JSON.stringify(["(a) => a", "class A { x() {} }", "TypeError"]),
    });
  });
});
