import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 2, blankTarget: 1 });
});
afterAll(() => pool.close());

/** What a run said, without its start; long lines by their first characters. */
async function saidBy(code: string, logBytes = 262_144): Promise<string[]> {
  const heard = new Heard();
  const run = toolRun(code, { network: true }, { logBytes });
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
    const said = await saidBy("for (let i = 0; i < 100; i++) console.log('x'.repeat(9000)); emit(1)");
    expect(said.filter((line) => line.startsWith("warn"))).toEqual([
      expect.stringMatching(/the rest .* cut off/),
    ]);
    expect(said.at(-1)).toMatch(/cut off/);
  });

  it("and a flood of it ends within the limit", async () => {
    const said = await saidBy("for (let i = 0; i < 1000; i++) emit('x'.repeat(20000))", 30_000);
    expect(said.length).toBeLessThan(120);
    expect(said.at(-1)).toMatch(/cut off/);
  });
});

describe("a result that JSON has no words for is returned with one warning", () => {
  it.each([
    ["new Map([[1, 2]])", "The tool returned a Map; only JSON leaves the sandbox: it became {}."],
    ["new Set([1])", "The tool returned a Set;"],
    ["new Response('x')", "The tool returned a Response;"],
    ["new Error('x')", "The tool returned an Error;"],
    ["({ a: 1, later: (async () => 1)() })", `The result's "later" is a Promise;`],
    ["[1, () => 1]", `The result's "1" is a Function;`],
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
