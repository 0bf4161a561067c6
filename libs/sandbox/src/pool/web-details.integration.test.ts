import { leakCheck } from "@bulkhead/testing";
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
  const utf8 = (text) => new TextEncoder().encode(text);`;

const SETTINGS = `(() => { const of = (r) => ["destination", "referrer", "referrerPolicy", "mode", "credentials", "cache", "redirect",
  "integrity", "keepalive", "isReloadNavigation", "isHistoryNavigation", "duplex"].map((name) => r[name]);`;

/** Node's own web globals are the measure here too: the same code gives the same value there. */
describe("as in Node:", () => {
  const CASES: Record<string, string[]> = {
    "what changes while it is gone through": [
      `thrown(() => new Headers(null))`,
      `(() => { const o = []; const h = new Headers({ a: 1, b: 2 }); for (const [k] of h) { o.push(k); h.set("c", "3") } return o })()`,
      `(() => { const o = []; const h = new Headers({ b: 2 }); h.forEach((v, k) => { o.push(k); if (o.length < 3) h.set("a", "1"); else h.delete("b") }); return o })()`,
      `(() => { const i = new Headers({ a: 1, b: 2 }).keys(); for (const k of i) break; return [i.next(), i.next(), i.next()] })()`,
      `(() => { const h = new Headers({ a: 1 }); const i = h.values(); i.next(); i.next(); h.set("z", "2"); return [i.next(), i.next()] })()`,
      `(() => { const i = new Headers({ a: 1 }).entries(); return [Object.prototype.toString.call(i), i[Symbol.iterator]() === i, i.map(([k]) => k).toArray(), Object.hasOwn(Object.getPrototypeOf(i), "constructor")] })()`,
      `(() => { const p = new URLSearchParams("a=1&b=2&c=3"); for (const [k] of p) p.delete(k); return String(p) })()`,
      `(() => { const p = new URLSearchParams("a=1&b=2&c=3"); p.forEach((v, k) => p.delete(k)); return String(p) })()`,
      `(() => { const u = new URL("https://a.example/?a=1"); const o = []; for (const k of u.searchParams.keys()) { o.push(k); u.search = "?a=1&b=2" } return o })()`,
      `Object.prototype.toString.call(new URLSearchParams().entries())`,
      `(() => { const o = []; const f = new FormData(); for (const k of ["a", "b", "c"]) f.append(k, k); for (const [k] of f) { o.push(k); f.delete(k) } return [o, [...f.keys()], [...f.values()], String(f.entries())] })()`,
    ],
    "the settings of a Request": [
      `${SETTINGS} return of(new Request("https://a.example")) })()`,
      `${SETTINGS} const a = new Request("https://a.example", { cache: "no-store", credentials: "omit", referrerPolicy: "origin", integrity: "a", keepalive: 1, referrer: "https://b.example", mode: "no-cors", redirect: "manual", duplex: "half" });
        return [a, new Request(a), new Request(a, { method: "POST" }), a.clone()].map(of) })()`,
      ...[
        "credentials: 'x'",
        "credentials: null",
        "mode: 'navigate'",
        "cache: 'x'",
        "cache: 'only-if-cached'",
        "cache: 'only-if-cached', mode: 'same-origin'",
        "referrer: '::bad'",
        "referrer: ''",
        "referrerPolicy: 'x'",
        "redirect: 'x'",
        "duplex: 'full'",
        "integrity: 5",
      ].map(
        (init) => `${SETTINGS} return thrown(() => of(new Request("https://a.example", { ${init} }))) })()`,
      ),
    ],
    "the type of a body's Blob": [
      `Promise.all(["text/plain; charset=UTF-8", "TEXT/html;Charset=\\"a b\\"; x=y", "text/plain; charset=", "bad", "", "a/b; c=\\"d\\\\\\"e\\"; c=2;;e = f; g", "a/b, c/d;x=1",
        "text/html;charset=gbk, text/plain, x/x", "text/html;charset=gbk, text/html", "*/*, a/b", 'a/b;x="', 'a/b;x="\\\\', 'a/b;x="1"2;y=3', "a/b;x=\\u00ff", 'a/b;x=",";y=1, c', "a/b;x= 1 ; y=2;x=3", " a/b ; X=Y;z", "a /b", "a/ b"]
        .map(async (type) => (await new Response("x", { headers: { "content-type": type } }).blob()).type))`,
      `new Response("x").blob().then((b) => b.type)`,
      `thrown(() => new Response("x", { headers: null }))`,
    ],
    "the line ends of a Blob": [
      `["native", "transparent", undefined].map((endings) => new Blob(["a\\r\\nb\\rc\\n", "\\r", "\\n"], { endings }).size)`,
      `new File(["a\\r\\n", utf8("\\r\\n"), new Blob(["\\r\\n"])], "n", { endings: "native" }).text()`,
      `thrown(() => new Blob([], { endings: "x" }))`,
      `new Blob(["a"], null).size`,
    ],
    "a listener's own signal": [
      `(() => { const c = new AbortController(); const n = []; for (const i of [1, 2, 3]) c.signal.addEventListener("abort", () => n.push(i), i === 2 ? {} : { signal: c.signal }); c.abort(); return n })()`,
      `thrown(() => new AbortController().signal.addEventListener("abort", () => 1, { signal: {} }))`,
    ],
  };
  describe.each(Object.entries(CASES))("%s", (_, expressions) => {
    it.each(expressions)("%s", async (expression) => {
      const code = `${HELPERS} return ${expression}`;
      const expected = await new AsyncFunction(code)();
      expect(await valueOf(code)).toEqual(JSON.parse(JSON.stringify(expected)));
    });
  });
});

it("crypto is what it is by its tag, and by nothing that JSON or a look at its fields shows", async () => {
  const code = `const tag = (value) => Object.prototype.toString.call(value);
    return [tag(crypto), tag(crypto.subtle), tag(performance), JSON.stringify(crypto), Object.keys(crypto)]`;
  expect(await valueOf(code)).toEqual([
    "[object Crypto]",
    "[object SubtleCrypto]",
    "[object Performance]",
    '{"subtle":{}}',
    ["randomUUID", "getRandomValues", "subtle"],
  ]);
});
