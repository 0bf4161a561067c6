import { everyNth, leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, ONE_ISOLATE, toolRun } from "./testing/tool-runs.ts";
import { refused, Upstream } from "./testing/upstream.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 1, blankTarget: 1 });
});
afterAll(() => pool.close());

const run = (code: string, heard: Heard, limits: object = {}) =>
  pool.run(toolRun(code, { network: true, ...ONE_ISOLATE }, limits), heard, new AbortController().signal);
const warnings = (heard: Heard): string[] => heard.said.filter((line) => line.startsWith("warn"));

it("what nests deeper than JSON may ends its run, also with a long number in it", async () => {
  const code = "return JSON.parse('['.repeat(30000) + '12345678901234567890' + ']'.repeat(30000))";
  expect(await run(code, new Heard())).toMatchObject({ outcome: "output_invalid" });
});

const FORMS: [value: string, form: unknown][] = [
  ["new Map([['a', 1], ['b', new Set([2])]])", { a: 1, b: [2] }],
  [
    "new Map([[1, 2], ['a', 3]])",
    [
      [1, 2],
      ["a", 3],
    ],
  ],
  ["new Map()", {}],
  ["new Map([['__proto__', 1]])", JSON.parse('{"__proto__":1}')],
  ["{ deep: [{ m: new Map([['a', new Map([['b', 1]])]]) }] }", { deep: [{ m: { a: { b: 1 } } }] }],
  ["[1, new Set(['a', 'b']), 2]", [1, ["a", "b"], 2]],
  ["new RangeError('m')", { name: "RangeError", message: "m" }],
  [
    "Object.assign(new Error('m', { cause: new TypeError('c') }), { code: 5 })",
    { name: "Error", message: "m", cause: { name: "TypeError", message: "c" }, code: 5 },
  ],
  [
    "new AggregateError([new Error('a')], 'm')",
    { name: "AggregateError", message: "m", errors: [{ name: "Error", message: "a" }] },
  ],
  [
    "await Promise.allSettled([Promise.reject(new Error('x'))])",
    [{ status: "rejected", reason: { name: "Error", message: "x" } }],
  ],
  ["new Uint8Array([1, 2])", [1, 2]],
  ["{ a: new Float64Array([0.5]), b: new Uint8Array([7]).buffer }", { a: [0.5], b: [7] }],
  [
    "new Headers([['a', '1'], ['set-cookie', 'x'], ['set-cookie', 'y']])",
    { a: "1", "set-cookie": ["x", "y"] },
  ],
  ["new URLSearchParams('a=1&b=2')", "a=1&b=2"],
  ["{ m: new Map(), get g() { return 2 }, n: 1 }", { m: {}, g: 2, n: 1 }],
  ["new (class Point { x = 1; m = new Set([1]) })()", { x: 1, m: [1] }],
  ["Object.assign(Object.create(null), { s: new Set() })", { s: [] }],
  ["{ [Symbol.toStringTag]: 'Map', a: 1 }", { a: 1 }],
  ["Object.assign(new Map([['a', 1]]), { toJSON: () => 'own' })", "own"],
  ["{ a: undefined, b: new Date(0) }", { b: "1970-01-01T00:00:00.000Z" }],
];

describe("what has an obvious form in JSON leaves in it", () => {
  it.each(FORMS)("as a result: %s", async (value, form) => {
    const heard = new Heard();
    expect(await run(`return ${value}`, heard)).toMatchObject({
      outcome: "returned",
      json: JSON.stringify(form),
    });
    expect(warnings(heard)).toEqual([]);
  });

  it.each(FORMS)("as an emitted value: %s", async (value, form) => {
    const heard = new Heard();
    await run(`emit(${value})`, heard);
    expect(heard.said.slice(1)).toEqual([`progress: ${JSON.stringify(form)}`]);
  });
});

describe("a returned Response is its status, headers and body", () => {
  const HEAD = {
    status: 201,
    headers: [
      ["content-type", "application/json"],
      ["x-a", "1"],
    ],
  };
  const FORM = { status: 201, headers: { "content-type": "application/json", "x-a": "1" } };

  it.each([
    ["return fetch('https://a.example')", { ...FORM, body: { a: 1 } }],
    ["return { r: await fetch('https://a.example') }", { r: { ...FORM, body: { a: 1 } } }],
    ["return Promise.all([fetch('https://a.example'), 1])", [{ ...FORM, body: { a: 1 } }, 1]],
  ])("%s", async (code, result) => {
    const upstream = new Upstream(['{"a"', ":1}"], HEAD);
    const verdict = await run(code, upstream.heard);
    expect(verdict).toMatchObject({ outcome: "returned", json: JSON.stringify(result) });
    expect(warnings(upstream.heard)).toEqual([]);
  });

  it.each([
    [
      "new Response('text')",
      { status: 200, headers: { "content-type": "text/plain;charset=UTF-8" }, body: "text" },
    ],
    ["new Response(null, { status: 204 })", { status: 204, headers: {}, body: null }],
    [
      "new Response(new Uint8Array([0x82, 0xa0]), { headers: { 'content-type': 'text/plain;charset=shift_jis' } })",
      { status: 200, headers: { "content-type": "text/plain;charset=shift_jis" }, body: "あ" },
    ],
  ])("%s", async (value, result) => {
    expect(await run(`return ${value}`, new Heard())).toMatchObject({ json: JSON.stringify(result) });
  });

  it("one whose body was read says so", async () => {
    const heard = new Heard();
    const verdict = await run("const r = new Response('x'); await r.text(); return { r }", heard);
    expect(verdict).toMatchObject({
      json: '{"r":{"status":200,"headers":{"content-type":"text/plain;charset=UTF-8"},"body":null}}',
    });
    expect(warnings(heard)).toEqual([
      `warn: The result's "r" is a Response whose body was read already; only JSON leaves the sandbox: what it holds is lost.`,
    ]);
  });

  it("one whose body fails fails the run", async () => {
    const upstream = new Upstream(["a", refused("network_limit", "too much")]);
    expect(await run("return fetch('https://a.example')", upstream.heard)).toMatchObject({
      outcome: "threw",
      message: expect.stringContaining("too much"),
    });
  });

  it("within the limit of a result", async () => {
    const limited = await run("return new Response('x'.repeat(5000))", new Heard(), { resultBytes: 1_000 });
    expect(limited).toMatchObject({ outcome: "result_too_large" });
  });
});

it("the arguments of a call leave so too, and their losses are told", async () => {
  const sent: string[] = [];
  const heard = new Heard((effect) => {
    if (effect.kind === "call_tool") sent.push(effect.argumentsJson);
    return { ok: true, head: "{}", body: "1", bodyEncoding: "utf8" };
  });
  await run("await utils.callTool('other', { s: new Set([1]), n: [0 / 0] })", heard);
  expect(sent).toEqual(['{"s":[1],"n":[null]}']);
  expect(warnings(heard)).toEqual([
    `warn: A call's "n[0]" is NaN; only JSON leaves the sandbox: it became null.`,
  ]);
});

describe("a circle and a BigInt are refused with their place:", () => {
  const FAULTS: [code: string, value: string, why: string][] = [
    ["const v = {}; v.v = v", "v", `its "v" leads back to the whole of it, a circle.`],
    ["const v = { a: [1] }; v.a.push({ b: v.a })", "v", `its "a[1].b" leads back to its "a", a circle.`],
    ["const v = new Error('m'); v.cause = v", "v", `its "cause" leads back to the whole of it, a circle.`],
    [
      "const v = new Error('m'); v.cause = new Error('n', { cause: v })",
      "{ e: v }",
      `its "e.cause.cause" leads back to its "e", a circle.`,
    ],
    ["const v = new Map(); v.set('m', { v })", "v", `its "m.v" leads back to the whole of it, a circle.`],
    ["const v = new Map(); v.set(v, 1)", "v", `its "[0][0]" leads back to the whole of it, a circle.`],
    ["const v = new Set(); v.add(1).add([v])", "v", `its "[1][0]" leads back to the whole of it, a circle.`],
    ["", "1n", "it is a BigInt: make it a string or a number."],
    ["", "{ a: [{ b: 1n }] }", `its "a[0].b" is a BigInt: make it a string or a number.`],
    ["", "new Map([['a', new Set([1n])]])", `its "a[0]" is a BigInt: make it a string or a number.`],
  ];

  it.each(FAULTS)("%s as a result: %s", async (code, value, why) => {
    expect(await run(`${code}; return ${value}`, new Heard())).toMatchObject({
      outcome: "output_invalid",
      message: `The result can't be JSON: ${why}`,
    });
  });

  it.each(FAULTS)("%s as an emitted value or an argument: %s", async (code, value, why) => {
    const caught = "(e) => console.log(e.name, e.message)";
    const heard = new Heard();
    await run(
      `${code}; try { emit(${value}) } catch (e) { (${caught})(e) }
      await utils.callTool('other', { s: ${value} }).catch(${caught})`,
      heard,
    );
    expect(heard.said.slice(1)).toEqual([
      `info: TypeError An emitted value can't be JSON: ${why}`,
      expect.stringMatching(/^info: TypeError A call can't be JSON: its "s/),
    ]);
  });

  it("what is there twice is no circle, and a BigInt that the tool taught its form has one", async () => {
    const heard = new Heard();
    const code = `BigInt.prototype.toJSON = function () { return String(this) };
      const s = new Set([1n]); return { a: s, b: [s, new Map([['s', s]])] }`;
    expect(await run(code, heard)).toMatchObject({ json: '{"a":["1"],"b":[["1"],{"s":["1"]}]}' });
    expect(warnings(heard)).toEqual([]);
  });
});

it("fields that are undefined, which JSON leaves out, count as nothing of a large value", async () => {
  const code = `const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => ["f" + i, undefined]));
    return { ...fields, m: new Map([["a", 1]]), p: (async () => 1)() }`;
  const heard = new Heard();
  expect(await run(code, heard, { resultBytes: 100 })).toMatchObject({ json: '{"m":{"a":1},"p":{}}' });
  expect(warnings(heard)).toEqual([expect.stringContaining(`The result's "p" is a Promise`)]);
});

describe("a thrown Response is told with its status and the beginning of its body:", () => {
  it.each([
    ["new Response('said', { status: 418, statusText: 'Teapot' })", "Error: Response 418 Teapot: said"],
    ["new Response(null, { status: 500 })", "Error: Response 500"],
    ["new Response('x'.repeat(501))", `Error: Response 200: ${"x".repeat(500)} … (cut)`],
    [
      "new Response(new Uint8Array([0x82, 0xa0]), { headers: { 'content-type': 'a/b;charset=shift_jis' } })",
      "Error: Response 200: あ",
    ],
    ["new Response(new ReadableStream({ pull(c) { c.error(new Error('off')) } }))", "Error: Response 200"],
    ["{ why: new Response('x', { status: 503 }) }", "Error: { why: Response 503 }"],
    [
      "Object.assign(new Error('m'), { cause: new Response('x') })",
      /^Error: m \[cause: Error: Response 200\]/,
    ],
    ["{ [Symbol.toStringTag]: 'Response', status: 1 }", /^Error: \{ status: 1/],
  ])("%s", async (thrown, message) => {
    expect(await run(`throw ${thrown}`, new Heard())).toMatchObject({
      outcome: "threw",
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  });

  it("no more of it is asked for than is told", async () => {
    const upstream = new Upstream(["a".repeat(300), "b".repeat(300), "c"], {
      status: 404,
      statusText: "Gone",
    });
    const verdict = await run("throw await fetch('https://a.example')", upstream.heard);
    expect(verdict).toMatchObject({
      message: `Error: Response 404 Gone: ${"a".repeat(300)}${"b".repeat(200)} … (cut)`,
    });
    expect(upstream.reads).toBe(1);
  });

  it("one whose body was read is told with its status", async () => {
    const code = "const r = new Response('x', { status: 404 }); await r.text(); throw r";
    expect(await run(code, new Heard())).toMatchObject({ message: "Error: Response 404" });
  });
});

describe("what can't be gone through is judged as ever:", () => {
  const ODD: [code: string, outcome: string][] = [
    ["const a = {}; a.a = a; a.m = new Map(); return a", "output_invalid"],
    ["const a = [new Map()]; a.push(a, a, a); return a", "output_invalid"],
    ["return [1n, new Map()]", "output_invalid"],
    ["return new Array(5e6)", "result_too_large"],
    ["return new Uint8Array(3e6)", "result_too_large"],
    ["return new Set(Array.from({ length: 6e5 }, (_, i) => i))", "result_too_large"],
    ["let a = []; for (let i = 0; i < 5000; i++) a = [a]; return a", "output_invalid"],
    [
      "return new Proxy([new Map()], { get(_, key) { if (key !== 'then') throw new Error('own') } })",
      "output_invalid",
    ],
  ];
  it.each(everyNth(ODD, 3))("%s", async (code, outcome) => {
    expect(await run(code, new Heard())).toMatchObject({ outcome });
  });
});
