import { everyNth, leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { ONE_ISOLATE, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 1, blankTarget: 1 });
});
afterAll(() => pool.close());

const valueOf = async (code: string): Promise<unknown> => {
  const verdict = await runQuietly(pool, toolRun(code, ONE_ISOLATE));
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return verdict.outcome === "returned" ? JSON.parse(verdict.json) : undefined;
};

const AsyncFunction = (async () => undefined).constructor as new (code: string) => () => Promise<unknown>;
const HELPERS = `const thrown = async (work) => { try { return ["value", await work()] } catch (e) { return [e.name, e instanceof Error] } };
  const utf8 = (text) => new TextEncoder().encode(text); const hex = (buffer) => new Uint8Array(buffer).toHex();`;

/** Node's own web globals are the measure: the same code gives the same value there. */
describe("as in Node:", () => {
  const CASES: Record<string, string[]> = {
    Headers: [
      `[...new Headers([["B", " 2 "], ["a", "1"], ["b", "3"], ["Set-Cookie", "x"], ["set-cookie", "y"]])]`,
      `new Headers({ a: "1" }).has("A")`,
      `[...new Headers(new Map([["a", "1"]]))]`,
      `(() => { const h = new Headers({ a: "1", c: "3" }); h.append("a", "2"); h.set("C", "4"); h.delete("x"); return [h.get("a"), h.get("c"), h.get("x"), [...h.keys()], [...h.values()]] })()`,
      `thrown(() => new Headers({ "a b": "1" }))`,
      `thrown(() => new Headers({ a: "1\\n2" }))`,
      `thrown(() => new Headers({ a: "→" }))`,
      `thrown(() => new Headers([["a"]]))`,
      `thrown(() => new Headers("a"))`,
      `Object.prototype.toString.call(new Headers())`,
    ],
    URLSearchParams: [
      `new URLSearchParams([["a", "1"], ["a", "2"], ["b", "3"]]).toString()`,
      `new URLSearchParams(new Map([["a", "ä &"]])).toString()`,
      `(() => { const p = new URLSearchParams("a=1&a=2&b=3"); p.delete("a", "1"); return [p.toString(), p.has("a", "2"), p.has("a", "1"), p.size] })()`,
      `(() => { const p = new URLSearchParams("b=2&a=1&b=1"); p.sort(); p.set("b", "x"); return [...p.entries()] })()`,
      `thrown(() => new URLSearchParams([["a"]]))`,
    ],
    Response: [
      `new Response("x").text()`,
      `[new Response(null).body, new Response("x").status, new Response("x").headers.get("content-type"), Response.error().type, Response.error().status]`,
      `Response.json({ a: 1 }).json()`,
      `[Response.json(1).headers.get("content-type"), Response.redirect("https://a.example/x", 301).headers.get("location")]`,
      `thrown(() => Response.json(undefined))`,
      `thrown(() => Response.redirect("https://a.example", 200))`,
      `thrown(() => new Response("x", { status: 204 }))`,
      `thrown(() => new Response("x", { status: 199 }))`,
      `thrown(() => new Response("x", { statusText: "a\\nb" }))`,
      `thrown(() => new Response("not json").json())`,
      `thrown(async () => { const r = new Response("x"); await r.text(); return r.text() })`,
      `thrown(async () => { const r = new Response("x"); r.body.getReader(); return r.text() })`,
      `thrown(async () => { const r = new Response("x"); r.body.getReader(); return r.clone() })`,
      `new Response("\\ufeffx").text()`,
      `new Response(new Uint8Array([0xef, 0xbb, 0xbf, 0x78])).text()`,
      `(async () => { const r = new Response("ab"); const c = r.clone(); return [await r.text(), await c.text(), r.bodyUsed] })()`,
      `(async () => { const r = new Response("ab"); await r.arrayBuffer(); return [r.bodyUsed, r.body.locked] })()`,
      `new Response("a=1&b=%20", { headers: { "content-type": "application/x-www-form-urlencoded" } }).formData().then((f) => [...f])`,
      `thrown(() => new Response("x").formData())`,
      `(async () => { const f = new FormData(); f.append("a", "1"); f.append("b", new File(["xyz"], "n.txt", { type: "text/plain" }));
        const back = await new Response(f).formData(); const file = back.get("b"); return [back.get("a"), file.name, file.type, file.size, await file.text()] })()`,
      `(async () => { const f = new FormData(); f.append('we"ird\\r\\nname', "line\\nline"); f.append("empty", "");
        return [...await new Response(f).formData()] })()`,
      `thrown(() => new Response("--x\\r\\ngarbage", { headers: { "content-type": "multipart/form-data; boundary=x" } }).formData())`,
      `(async () => { const b = await new Response("ä", { headers: { "content-type": "text/Plain" } }).blob(); return [b.size, b.type] })()`,
      `new Response(new ReadableStream({ start(c) { c.enqueue(utf8("x")); c.close() } })).text()`,
      `thrown(() => new Response(new ReadableStream({ start(c) { c.enqueue("text"); c.close() } })).text())`,
    ],
    Request: [
      `(() => { const r = new Request("https://a.example", { method: "post", body: "x" }); return [r.method, r.url, r.redirect, r.headers.get("content-type"), r.signal.aborted] })()`,
      `new Request("https://a.example", { method: "PATCH" }).method`,
      `(async () => { const a = new Request("https://a.example", { method: "POST", body: "x" }); const b = new Request(a, { headers: { y: "1" } }); return [a.bodyUsed, await b.text(), b.method, b.headers.get("y")] })()`,
      `(async () => { const a = new Request("https://a.example", { method: "POST", body: "x" }); return [await a.clone().text(), await a.text()] })()`,
      `thrown(() => new Request("/x"))`,
      `thrown(() => new Request("https://u:p@a.example"))`,
      `thrown(() => new Request("https://a.example", { method: "CONNECT" }))`,
      `thrown(() => new Request("https://a.example", { body: "x" }))`,
    ],
    FormData: [
      `(() => { const f = new FormData(); f.append("a", 1); f.append("a", "2"); f.append("b", "3"); f.set("a", "x"); return [[...f], f.get("c"), f.getAll("a"), f.has("b")] })()`,
      `(() => { const f = new FormData(); f.append("a", new Blob(["x"], { type: "t/x" }), "n"); const file = f.get("a"); return [file instanceof File, file.name, file.type, file.size] })()`,
      `thrown(() => new FormData().append("a", "x", "name"))`,
    ],
    Blob: [
      `new Blob(["a", new Uint8Array([98]), new Blob(["c"])]).text()`,
      `(() => { const b = new Blob(["hello"], { type: "Text/Plain" }).slice(1, -1); return [b.size, b.type] })()`,
      `new Blob(["hello"]).slice(-3, 99, "a/b").text()`,
      `thrown(() => new Blob("text"))`,
    ],
    ReadableStream: [
      `(async () => { const s = ReadableStream.from(["a", "b"]); const out = []; for await (const c of s) out.push(c); return [out, s.locked] })()`,
      `(async () => { const log = []; const s = new ReadableStream({ pull(c) { log.push("pull"); c.enqueue(log.length); if (log.length === 3) c.close() }, cancel(r) { log.push(r) } }, { highWaterMark: 0 });
        const r = s.getReader(); return [await r.read(), await r.read(), await r.read(), await r.read(), log, await r.closed] })()`,
      `(async () => { const log = []; const s = new ReadableStream({ cancel(r) { log.push(r) } }); await s.cancel("why"); return [log, (await s.getReader().read()).done] })()`,
      `thrown(async () => { const s = new ReadableStream(); s.getReader(); s.getReader() })`,
      `thrown(async () => { const s = new ReadableStream({ start(c) { c.error(new RangeError("x")) } }); return s.getReader().read() })`,
      `thrown(async () => { const s = new ReadableStream({ async pull() { throw new RangeError("x") } }); return s.getReader().read() })`,
      `thrown(() => { const s = new ReadableStream(); s.getReader(); return s.cancel() })`,
      `thrown(() => new ReadableStream({ start(c) { c.close(); c.enqueue(1) } }))`,
      `thrown(() => { const r = new ReadableStream().getReader(); r.releaseLock(); return r.read() })`,
      `thrown(() => { const r = new ReadableStream().getReader(); const read = r.read(); r.releaseLock(); return read })`,
      `(async () => { const [a, b] = ReadableStream.from([1, 2]).tee(); const all = async (s) => { const out = []; for await (const c of s) out.push(c); return out }; return [await all(a), await all(b)] })()`,
      `(async () => { const log = []; const s = new ReadableStream({ pull(c) { c.enqueue(1) }, cancel(r) { log.push(r) } }); const [a, b] = s.tee(); const ca = a.cancel("a"); await b.cancel("b"); await ca; return log })()`,
      `(async () => { const s = new ReadableStream({ start(c) { for (let i = 0; i < 3; i++) c.enqueue(i); return c.desiredSize } }, { highWaterMark: 2 }); const r = s.getReader(); await r.read(); await r.cancel(); return r.read() })()`,
    ],
    "AbortSignal and AbortController": [
      `(() => { const c = new AbortController(); const log = []; c.signal.onabort = () => log.push("on"); c.signal.addEventListener("abort", (e) => log.push(e.type, e.target === c.signal));
        c.signal.addEventListener("abort", { handleEvent() { log.push("object") } }); c.abort(); c.abort(); return [log, c.signal.aborted, c.signal.reason.name, c.signal.reason instanceof Error] })()`,
      `(() => { const c = new AbortController(); let n = 0; const f = () => n++; c.signal.addEventListener("abort", f); c.signal.addEventListener("abort", f); c.signal.removeEventListener("abort", f); c.abort(); return n })()`,
      `(() => { const c = new AbortController(), d = new AbortController(); let n = 0; c.signal.addEventListener("abort", () => n++, { signal: d.signal }); d.abort(); c.abort(); return n })()`,
      `(() => { const c = new AbortController(); const any = AbortSignal.any([c.signal, new AbortController().signal]); c.abort("why"); return [any.aborted, any.reason] })()`,
      `AbortSignal.any([AbortSignal.abort(1), AbortSignal.abort(2)]).reason`,
      `thrown(() => new AbortSignal())`,
      `thrown(() => AbortSignal.abort().throwIfAborted())`,
      `thrown(() => AbortSignal.any([{}]))`,
    ],
    "text coding": [
      `(() => { const d = new TextDecoder(); return [0xef, 0xbb, 0xbf, 0xf0, 0x9d, 0x84, 0x9e, 0xc3].map((b) => d.decode(new Uint8Array([b]), { stream: true })).concat(d.decode()) })()`,
      `[[0xff], [0xc3, 0x28], [0xe2, 0x82], [0xf0, 0x9f, 0x92], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0x80]].map((b) => new TextDecoder().decode(new Uint8Array(b)))`,
      `[[0xe2, 0x82, 0x41], [0xe2, 0x28, 0xa1], [0xf0, 0x90]].map((b) => { const d = new TextDecoder(); return b.map((x) => d.decode(new Uint8Array([x]), { stream: true })).concat(d.decode()) })`,
      `thrown(() => new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([0xff])))`,
      `thrown(() => new TextDecoder("x-unknown"))`,
      `["UTF8", " latin1 ", "ascii", "utf-16", "utf-16be"].map((label) => new TextDecoder(label).encoding)`,
      `new TextDecoder("latin1").decode(new Uint8Array([0x80, 0xe4, 0x41]))`,
      `new TextDecoder("utf-16le").decode(new Uint8Array([0x3d, 0xd8, 0x00, 0xde, 0x00]))`,
      `(() => { const d = new TextDecoder("utf-16be"); return [0xd8, 0x3d, 0xde, 0x00].map((b) => d.decode(new Uint8Array([b]), { stream: true })) })()`,
      `new TextDecoder("utf-8", { ignoreBOM: true }).decode(utf8("\\ufeffa")).length`,
      `(() => { const t = new Uint8Array(5); return [new TextEncoder().encodeInto("aä𝄞", t), [...t]] })()`,
      `[..."\\ud800a"].map((c) => [...utf8(c)])`,
      `["", "a", "ab", "abc", "ÿ"].map((t) => [btoa(t), atob(btoa(t)) === t])`,
      `["YQ", "YQ==", " Y Q = = "].map(atob)`,
      `thrown(() => atob("YQ="))`,
      `thrown(() => atob("a"))`,
      `thrown(() => btoa("→"))`,
    ],
    crypto: [
      `Promise.all(["SHA-1", "sha-256", { name: "SHA-384" }, "SHA-512"].map(async (a) => hex(await crypto.subtle.digest(a, utf8("abc")))))`,
      `crypto.subtle.digest("SHA-256", new Uint8Array(10).subarray(2).buffer).then(hex)`,
      `thrown(() => crypto.subtle.digest("MD5", utf8("x")))`,
      `thrown(() => crypto.subtle.digest("SHA-1", "text"))`,
      `thrown(() => crypto.getRandomValues(new Float64Array(1)))`,
      `thrown(() => crypto.getRandomValues(new Uint8Array(65537)))`,
      `(() => { const a = new Uint32Array(64); return [crypto.getRandomValues(a) === a, a.some((n) => n > 0), crypto.getRandomValues(new Uint8Array(0)).length] })()`,
      `/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())`,
    ],
    "arguments that are required": [
      ["append", "set", "delete", "get", "has"].flatMap((name) => [
        `new FormData().${name}`,
        `new Headers().${name}`,
      ]),
      ["append", "set", "delete", "get", "has", "getAll"].map((name) => `new URLSearchParams().${name}`),
      ["new FormData().getAll", "new File", "btoa", "atob", "structuredClone"],
    ]
      .flat()
      .flatMap((call) => [`${call}()`, `${call}(["a"])`])
      .map((call) => `(await thrown(() => { ${call} }))[0]`)
      .concat("(() => { const f = new FormData(); f.append('a', undefined); return [...f] })()"),
    structuredClone: [
      `(() => { const a = { d: new Date(5), r: /x/gi, m: new Map([[{ k: 1 }, new Set([1])]]), b: 1n, u: undefined }; a.self = a; const c = structuredClone(a);
        return [c.d.getTime(), String(c.r), [...c.m][0][0].k, [...c.m.values()][0].has(1), String(c.b), "u" in c, c.self === c] })()`,
      `(() => { const c = structuredClone(JSON.parse('{"__proto__":{"x":1}}')); return [Object.hasOwn(c, "__proto__"), c.x === undefined, Object.getPrototypeOf(c) === Object.prototype] })()`,
      `(() => { const buffer = new ArrayBuffer(8); const c = structuredClone([new Uint8Array(buffer, 2, 4), new DataView(buffer)]); return [c[0].byteOffset, c[0].length, c[0].buffer === c[1].buffer, c[1] instanceof DataView] })()`,
      `(() => { const sparse = []; sparse.length = 4000000000; sparse[3] = 1; const c = structuredClone(sparse); return [c.length, 0 in c, c[3]] })()`,
      `(() => { const c = structuredClone({ [Symbol.toStringTag]: "Date", a: 1 }); return [c.a, c instanceof Date] })()`,
      `(() => { class A { x = 1; get y() { return 2 } } const c = structuredClone(new A()); return [c.x, c.y === undefined, c instanceof A] })()`,
      `(() => { const e = structuredClone(new RangeError("r", { cause: { a: 1 } })); return [e instanceof RangeError, e.message, e.cause.a, Object.keys(e)] })()`,
      `(() => { const c = structuredClone([Object(1), Object("s"), Object(false)]); return c.map((x) => typeof x + String(x)) })()`,
      `(() => { const b = new ArrayBuffer(4); const c = structuredClone({ b }, { transfer: [b] }); return [b.byteLength, c.b.byteLength] })()`,
      `thrown(() => structuredClone({ f() {} }))`,
      `thrown(() => structuredClone(Symbol("x")))`,
      `thrown(() => structuredClone(Promise.resolve()))`,
      `thrown(() => structuredClone(new WeakMap()))`,
      ...[
        [
          "new URL('https://a.example')",
          "new URLSearchParams('a=1')",
          "new FormData()",
          "new Headers({ a: '1' })",
        ],
        ["new Response('x')", "new Request('https://a.example')", "new ReadableStream()", "new WeakRef({})"],
        ["new WeakSet()", "Object(Symbol('x'))", "new Proxy(() => 1, {})", "(function* () {})()"],
        ["(async function* () {})()", "[1].values()", "new Map([[1, 2]]).entries()", "new Set([1]).values()"],
        [
          "'x'[Symbol.iterator]()",
          "'x'.matchAll(/x/g)",
          "[1].values().map((x) => x)",
          "Iterator.from({ next() {} })",
        ],
      ]
        .flat()
        .map((value) => `thrown(() => structuredClone({ a: ${value} }))`),
      `["URL", "Headers", "Blob", "File", "Promise", "WeakMap", "WeakRef", "Generator", "Symbol", "Response"].map((tag) => structuredClone({ [Symbol.toStringTag]: tag, a: tag }))`,
      `structuredClone(new (class X extends Iterator { a = 1 })())`,
      `(async () => { const b = new Blob(["hello"], { type: "a/b" }); const [c, d] = structuredClone([b, b]); return [c instanceof Blob, c instanceof File, c === d, c === b, c.type, c.size, await c.text()] })()`,
      `(async () => { const c = structuredClone(new File(["x"], "n.txt", { type: "a/b", lastModified: 5 })); return [c instanceof File, c.name, c.type, c.lastModified, await c.text()] })()`,
      `(() => { const g = (function* () { yield 1; yield 2 })(); try { structuredClone(g) } catch {} return [...g] })()`,
      ...[
        "new Proxy({}, {})",
        "new Proxy([], {})",
        "{ a: [new Proxy({ b: 1 }, {})] }",
        "Proxy.revocable({}, {}).proxy",
      ].map((value) => `thrown(() => structuredClone(${value}))`),
      `thrown(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return structuredClone(proxy) })`,
      `structuredClone(Object.create(new Proxy({}, {}), { a: { value: 1, enumerable: true } }))`,
      `(() => { structuredClone(1); const p = new Proxy({ a: 1 }, { get: () => 2 }); return [p.a, Proxy.name, Proxy.length, "prototype" in Proxy, Object.hasOwn(Proxy, "prototype"), Reflect.ownKeys(Proxy.revocable({}, {})), String(Proxy).includes("native code")] })()`,
      `(() => { structuredClone(1); return [() => Proxy({}, {}), () => new Proxy(1, {}), () => Proxy.revocable(1, {}), () => class extends Proxy {}, () => new Proxy.revocable({}, {})].map((work) => { try { work(); return "none" } catch (e) { return e.name } }) })()`,
      `thrown(() => structuredClone({ get a() { throw new RangeError("mine") } }))`,
    ],
  };
  describe.each(Object.entries(CASES))("%s", (_, expressions) => {
    it.each(everyNth(expressions, 3))("%s", async (expression) => {
      const code = `${HELPERS} return ${expression}`;
      const expected = await new AsyncFunction(code)();
      expect(await valueOf(code)).toEqual(JSON.parse(JSON.stringify(expected)));
    });
  });
});

it("structuredClone refuses what only browsers keep: a signal and its controller", async () => {
  const of = (value: string): string => `await thrown(() => structuredClone(new AbortController()${value}))`;
  expect(await valueOf(`${HELPERS} return [${of("")}, ${of(".signal")}]`)).toEqual([
    ["DataCloneError", true],
    ["DataCloneError", true],
  ]);
});

it("crypto.subtle.digest says how many bytes it takes", async () => {
  const digest = (bytes: number): string =>
    `return crypto.subtle.digest("SHA-1", new Uint8Array(${bytes})).then((d) => d.byteLength, (e) => [e.name, e.message])`;
  expect(await valueOf(digest(12_582_864))).toBe(20);
  expect(await valueOf(digest(12_582_865))).toEqual([
    "RangeError",
    "crypto.subtle.digest takes 12582864 bytes at most, not 12582865",
  ]);
});

describe("the globals", () => {
  const CLASSES = [
    "AbortController",
    "AbortSignal",
    "Blob",
    "DOMException",
    "File",
    "FormData",
    "Headers",
    "ReadableStream",
    "Request",
    "Response",
    "TextDecoder",
    "TextEncoder",
    "URL",
    "URLSearchParams",
  ];
  it("are there with their names", async () => {
    const names = `[${CLASSES.map((name) => `${name}.name`).join(",")}]`;
    expect(await valueOf(`return ${names}`)).toEqual(CLASSES);
  });

  it("lead to no function of the runtime's own", async () => {
    const code = `const seen = new Set(); const found = [];
      const walk = (value, path) => {
        if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
        seen.add(value);
        for (const key of Reflect.ownKeys(value)) {
          if (/post|ask|enter|giveUp|requestEffect|module/i.test(String(key))) found.push(path + String(key));
          const { value: next, get } = Reflect.getOwnPropertyDescriptor(value, key);
          walk(next, path + String(key) + "."); walk(get, path + String(key) + ".");
        }
        walk(Reflect.getPrototypeOf(value), path + "^");
      };
      walk([${CLASSES.join(",")}, crypto, performance, console, new Headers().keys(), structuredClone, atob, new AbortController(), new Response("x"), new Response("x").body], "");
      return [found.filter((path) => !/^\\d+\\.\\^?prototype|Symbol/.test(path) || /giveUp|requestEffect/.test(path)), seen.size > 100]`;
    expect(await valueOf(code)).toEqual([[], true]);
  });

  it("keep their bounds and their work when a tool breaks the language's own objects", async () => {
    const code = `const { then } = Promise.prototype;
      Array.prototype.push = () => { throw new Error("broken") }; Array.prototype[Symbol.iterator] = undefined;
      Map.prototype.get = () => "broken"; Promise.prototype.then = () => "broken";
      const out = [btoa("x"), typeof crypto.randomUUID()];
      Promise.prototype.then = then;
      return out.join("")`;
    expect(await valueOf(code)).toBe("eA==string");
  });
});
