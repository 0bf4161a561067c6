import type { SandboxVerdict } from "@bulkhead/core";
import { isNightly, leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, ONE_ISOLATE, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  // The sandbox says itself how each run ended: a busy machine lets it do so later than usual.
  pool = openSandboxPool({ processesMax: 2, blankTarget: 0, graceMs: 60_000 });
});
afterAll(() => pool.close());

const verdictOf = (code: string): Promise<SandboxVerdict> => runQuietly(pool, toolRun(code, ONE_ISOLATE));
const valueOf = async (code: string): Promise<unknown> => {
  const verdict = await verdictOf(code);
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return verdict.outcome === "returned" ? JSON.parse(verdict.json) : undefined;
};

describe("a tool", () => {
  it("gets its arguments under two names, and its context, and returns JSON", async () => {
    expect(await valueOf("return { args, same: args === input, context }")).toEqual({
      args: { a: 1 },
      same: true,
      context: { toolName: "t", tenantId: "ten_a" },
    });
  });

  it.each([
    ["nothing", "", null],
    ["undefined", "return undefined", null],
    ["a value it waited for", "await new Promise((r) => setTimeout(r, 1)); return [1]", [1]],
    ["what toJSON gives", "return { at: new Date(0) }", { at: "1970-01-01T00:00:00.000Z" }],
  ])("that returns %s gives what JSON makes of it", async (_, code, expected) => {
    expect(await valueOf(code)).toEqual(expected);
  });

  it.each([
    ["a circle", "const a = {}; a.a = a; return a", /a circle/],
    ["a BigInt", "return { a: 1n }", /BigInt/],
    ["a function", "return () => 1", /function/],
    ["a symbol", "return Symbol('x')", /symbol/],
    ["a value whose toJSON throws", "return { toJSON() { throw new RangeError('no') } }", /RangeError: no/],
  ])("that returns %s has an invalid output, and is told why", async (_, code, message) => {
    expect(await verdictOf(code)).toMatchObject({
      outcome: "output_invalid",
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ["throws", "let x = 1;\n  throw new TypeError('bad');", "TypeError: bad (tool.js:2:9)"],
    [
      "throws in a called function",
      "function f() {\n null.x\n}\nf()",
      /^TypeError: .* \(tool\.js:2:7\)\n    at f \(tool\.js:2:7\)\n    at tool\.js:4:1$/,
    ],
    ["throws a text", "throw 'text'", "Error: text"],
    ["throws what can't be read", "throw new Proxy({}, { get() { throw 1 } })", /can't be read/],
    ["does not compile", "const a = 1;\nreturn (1 +* 2)", "SyntaxError: Unexpected token '*' (tool.js:2:12)"],
    ["closes the function around it", "}); (async function () {", "SyntaxError: Unexpected token '}'"],
  ])("that %s is told the name, the text and the place in its own code", async (_, code, message) => {
    const verdict = await verdictOf(code);
    expect(verdict).toMatchObject({
      outcome: "threw",
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
    expect(JSON.stringify(verdict)).not.toMatch(/guest\.js|isolated-vm|\/src\/|file:/);
  });

  it("may give its own variables the names of what it is given", async () => {
    expect(
      await valueOf("const input = args.a; const context = 2, console = 3; return [input, context, console]"),
    ).toEqual([1, 2, 3]);
  });

  it("finds none of the names that compile code, share memory or belong to the host", async () => {
    const names = ["eval", "Function", "WebAssembly", "SharedArrayBuffer", "Atomics", "FinalizationRegistry"];
    names.push(
      "globalThis",
      "global",
      "process",
      "require",
      "module",
      "exports",
      "__dirname",
      "__filename",
      "fetch",
    );
    expect(await valueOf(`return [${names.map((name) => `typeof ${name}`).join(",")}]`)).toEqual(
      names.map(() => "undefined"),
    );
  });

  it.each([
    "(() => 1)",
    "(async () => 1)",
    "(function* () {})",
    "(async function* () {})",
    "Object",
    "setTimeout",
  ])("can't compile text through the constructor of %s", async (fn) => {
    expect(await verdictOf(`return ${fn}.constructor('return 1')()`)).toMatchObject({
      outcome: "threw",
      message: expect.stringContaining("Code generation"),
    });
  });

  it("has the web's small tools", async () => {
    const code = `
      const url = new URL("../b?c=1#d", "https://u:p@h.example:8443/a/x/y");
      url.searchParams.append("e", "ä b");
      const bytes = new TextEncoder().encode("größe 𝄞");
      const cloned = structuredClone({ at: new Date(0), m: new Map([[1, new Set([2])]]), b: bytes });
      let order = [];
      const ticked = Promise.withResolvers();
      const id = setInterval(() => ticked.resolve(order.push("tick")), 1);
      queueMicrotask(() => order.push("micro"));
      await ticked.promise;
      await new Promise((r) => setTimeout(r, 20));
      clearInterval(id);
      return [url.href, [...url.searchParams], new TextDecoder().decode(bytes), cloned.at.getTime(),
        cloned.m.get(1).has(2), cloned.b.length, order.slice(0, 2), btoa("hi"), atob("aGk="), URL.canParse("x"),
        /^[0-9a-f-]{36}$/.test(crypto.randomUUID()), new Headers({ A: "1" }).get("a")];`;
    expect(await valueOf(code)).toEqual([
      "https://u:p@h.example:8443/a/b?c=1&e=%C3%A4+b#d",
      [
        ["c", "1"],
        ["e", "ä b"],
      ],
      "größe 𝄞",
      0,
      true,
      12,
      ["micro", "tick"],
      "aGk=",
      "hi",
      false,
      true,
      "1",
    ]);
  });
});

describe("what a tool says", () => {
  it("arrives while it runs, in its order", async () => {
    const heard = new Heard();
    const code = `console.log("a", { b: [1, "c"] }); emit({ p: 1 }); console.warn(new Map([["k", 1n]]));
      await new Promise((r) => setTimeout(r, 1)); console.error("z"); console.debug(); return 1`;
    await pool.run(toolRun(code), heard, new AbortController().signal);
    const expected = [
      'info: a { b: [1, "c"] }',
      'progress: {"p":1}',
      'warn: Map(1) { "k" => 1n }',
      "error: z",
    ];
    expect(heard.said).toEqual(["started", ...expected, "debug: "]);
  });

  it("beyond its limit is cut off with one warning, and the run goes on", async () => {
    const heard = new Heard();
    const run = toolRun(
      "for (let i = 0; i < 50; i++) console.log('0123456789'); return 1",
      {},
      { logBytes: 55 },
    );
    expect(await pool.run(run, heard, new AbortController().signal)).toMatchObject({ outcome: "returned" });
    expect(heard.said).toHaveLength(1 + 5 + 1);
    expect(heard.said.at(-1)).toMatch(/^warn: .*cut off/);
  });

  it("in one line is cut at 8 KiB with a mark, whatever the characters", async () => {
    const heard = new Heard();
    await pool.run(toolRun("console.log('ä'.repeat(20000)); return 1"), heard, new AbortController().signal);
    const line = heard.said[1]?.slice("info: ".length) ?? "";
    expect(line).toMatch(/^ä+ … \(cut\)$/);
    expect(Buffer.byteLength(line)).toBeGreaterThan(8_100);
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(8_192);
  });

  it("includes errors that nobody caught, without ending the run", async () => {
    const heard = new Heard();
    await pool.run(
      toolRun("Promise.reject(new Error('lost')); return 1"),
      heard,
      new AbortController().signal,
    );
    expect(heard.said).toEqual(["started", "error: Uncaught Error: lost (tool.js:1:16)"]);
  });

  it.each([
    [
      "an await behind another",
      "const lost = Promise.reject(new Error('a')); await later(); try { await lost } catch {}",
    ],
    ["a method", "const lost = fail('a'); await later(); await lost.catch(() => 1)"],
    ["a look at all", "const all = [fail('a'), later()]; await all[1]; await Promise.allSettled(all)"],
    [
      "an error of its own",
      "class Own extends Error {} const lost = Promise.reject(new Own('a')); await later(); await lost.catch(() => 1)",
    ],
    ["a text", "const lost = Promise.reject('a'); await later(); await lost.catch(() => 1)"],
    [
      "two timers at one time",
      "const lost = later(0).then(() => fail('a')); await later(0); await later(0); await lost.catch(() => 1)",
    ],
    ["what ended the run", "const lost = fail('a'); await later(); await lost"],
  ])("says nothing of errors that are caught late: by %s", async (_what, code) => {
    const heard = new Heard();
    const names =
      "const later = (ms = 5) => new Promise((r) => setTimeout(r, ms)); const fail = async (m) => { throw new Error(m) };";
    await pool.run(toolRun(`${names} ${code}`), heard, new AbortController().signal);
    expect(heard.said).toEqual(["started"]);
  });

  it("but tells of those that nobody caught, also where others like them were and where a limit ended the run", async () => {
    const code = `const fail = async (m) => { throw new Error(m) };
      const [one, two] = [fail('a'), null]; fail('b');
      await new Promise((r) => setTimeout(r, 5));
      fail('a'); await one.catch(() => 1);
      await new Promise((r) => setTimeout(r, 5));`;
    const heard = new Heard();
    await pool.run(toolRun(code), heard, new AbortController().signal);
    expect(heard.said.slice(1)).toEqual([expect.stringMatching(/^error: Uncaught Error: a/)]);
    const stopped = new Heard();
    const spins = "Promise.reject(new Error('lost')); await new Promise((r) => setTimeout(r, 60_000))";
    const limits = { ...toolRun("").limits, wallMs: 4_000 };
    await pool.run({ ...toolRun(spins), limits }, stopped, new AbortController().signal);
    expect(stopped.said).toEqual(["started", "error: Uncaught Error: lost (tool.js:1:16)"]);
  });

  it("names the place where an effect was asked for that was refused", async () => {
    const code = "async function load() {\n  await fetch('https://a.example');\n}\nawait load();";
    const verdict = await runQuietly(pool, toolRun(code, { network: true }));
    expect(verdict).toMatchObject({ outcome: "threw", message: expect.stringContaining("(tool.js:2:9)") });
  });

  it.runIf(isNightly)("may ask and give up as fast as it likes, and is no suspect for it", async () => {
    const code = `for (let i = 0; i < 200; i++) {
      const giveUp = new AbortController();
      fetch("https://a.example", { signal: giveUp.signal }).catch(() => {});
      giveUp.abort();
    }
    return "done"`;
    expect(await runQuietly(pool, toolRun(code, { network: true }))).toMatchObject({ json: '"done"' });
  });
});
