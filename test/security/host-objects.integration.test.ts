import { abuseSuite } from "./support/abuse-suite.ts";
import type { AbuseRow } from "./support/abuse-row.ts";

/** Throws inside every part of the runtime, and says all that can be said about what was thrown. */
const tell = (expression: string): string => `
  const tell = (e) => [e?.name, e?.message, e?.stack, e?.fileName, e?.cause, e?.constructor?.name, Object.getOwnPropertyNames(Object(e)).map((k) => k + '=' + String(e[k])).join()].map(String).join('|');
  try { const v = ${expression}; await v; console.log(typeof v) } catch (e) { console.log(tell(e)); const { stack } = new Error('here'); console.log(stack); throw e }
  return 1`;

const THROWING: [name: string, expression: string][] = [
  ["a URL that is none", "new URL('::')"],
  ["a URL of a symbol", "new URL(Symbol('x'))"],
  ["a URL whose text throws", "new URL({ toString() { throw new Error('mine') } })"],
  ["a request that is refused", "fetch('http://a')"],
  ["a request of nothing", "fetch()"],
  ["a request with hostile headers", "fetch('http://a', { headers: [[Symbol('x'), 1]] })"],
  [
    "a request with a hostile body",
    "fetch('http://a', { body: { toString() { throw new Error('mine') } } })",
  ],
  ["a request with an endless method", "fetch('http://a', { method: 'x'.repeat(1e5) })"],
  ["an emitted BigInt", "emit(1n)"],
  ["an emitted circle", "(() => { const a = {}; a.a = a; emit(a) })()"],
  ["a timer of nothing", "setTimeout()"],
  ["a timer whose delay throws", "setTimeout(() => 1, { valueOf() { throw new Error('mine') } })"],
  ["base64 that is none", "atob('%%%')"],
  ["text that is no base64", "btoa('\\u1234')"],
  ["a clone of a function", "structuredClone(() => 1)"],
  [
    "a response that was read",
    "(async () => { const r = new Response('x'); await r.text(); return r.text() })()",
  ],
  ["a response that is not JSON", "new Response('{').json()"],
  ["a header that is none", "new Headers([['\\n', 'x']])"],
  ["an abort", "AbortSignal.abort().throwIfAborted()"],
  ["a decoder of an unknown encoding", "new TextDecoder('klingon')"],
  ["a console method on another this", "console.log.call(null, { get a() { throw new Error('mine') } })"],
  [
    "a stack overflow within the runtime",
    "(() => { const f = () => { try { new URL('http://a') } catch {} f() }; f() })()",
  ],
  ["a stack overflow within a log line", "(() => { const f = () => { console.log('x'); f() }; f() })()"],
  [
    "a stack overflow within a request",
    "(() => { const f = () => { fetch('http://a').catch(() => 1); f() }; f() })()",
  ],
  ["an unbounded stack trace", "(() => { Error.stackTraceLimit = Infinity; new URL('::') })()"],
  ["a captured stack", "(() => { const o = {}; Error.captureStackTrace(o, setTimeout); throw o })()"],
  ["an import", "import('node:fs')"],
];

const STACKS = THROWING.map(([name, expression]): AbuseRow => [
  `stacks: ${name}`,
  tell(expression),
  ["threw", "returned", "cpu"],
  { network: true },
]);

const SHOWN: AbuseRow[] = [
  [
    "the source of every function of the runtime",
    "for (const f of [console.log, emit, setTimeout, fetch, URL, Headers, Response, structuredClone, crypto.randomUUID, (() => 1).constructor]) { console.log(String(f).length > 0, Object.prototype.toString.call(f)); } return [console.log, emit, setTimeout, fetch].map((f) => /isolated|\\/src\\/|node:/.test(String(f)))",
    "returned",
    { network: true, returns: [false, false, false, false] },
  ],
  [
    "call sites",
    "Error.prepareStackTrace = (e, sites) => sites; const out = []; const f = () => { try { new URL('::') } catch (e) { for (const s of e.stack) out.push([s.getFileName(), s.getEvalOrigin?.(), s.getScriptNameOrSourceURL?.(), s.getTypeName?.(), s.getMethodName?.()].map(String).join()) } }; f(); console.log(out.join('\\n')); return out.length > 0",
    "returned",
    { returns: true },
  ],
  [
    "call sites of a settled result",
    "Error.prepareStackTrace = (e, sites) => { console.log(sites.map((s) => `${s.getFileName()} ${s.getFunctionName()}`).join('\\n')); return 'x' }; Object.defineProperty(Object.prototype, 'toJSON', { get() { void new Error('x').stack; return undefined }, configurable: true }); return { a: 1 }",
    "returned",
  ],
  [
    "an error that nobody caught, of any kind",
    "for (const e of [1, 'x', null, undefined, Symbol('s'), {}, [], () => 1, new Proxy({}, {}), new Proxy(new Error('p'), {}), Object.create(null), 1n]) Promise.reject(e); setTimeout(() => { throw 1 }); setTimeout(() => { throw null }); setTimeout(() => { throw { a: 1 } }); await new Promise((r) => setTimeout(r, 30)); return 1",
    "returned",
    { returns: 1 },
  ],
  [
    "an error that is thrown by a timer, with a cause",
    "setTimeout(() => { throw new Error('a', { cause: new AggregateError([new Error('b')], 'c') }) }); await new Promise((r) => setTimeout(r, 30)); return 1",
    "returned",
    { returns: 1 },
  ],
  [
    "log of what can't be shown",
    "console.log(new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 } })); console.log({ get a() { throw 1 } }); console.log(Object.create(null)); console.log({ toString() { return {} }, [Symbol.toPrimitive]() { return {} } }); console.log({ [Symbol.toStringTag]: { toString() { throw 1 } } }); return 1",
    ["returned", "threw"],
  ],
  [
    "log of what is deep",
    "let a = {}; for (let i = 0; i < 1e5; i++) a = { a }; console.log(a); let e = new Error('0'); for (let i = 0; i < 1e4; i++) e = new Error('x', { cause: e }); console.log(e); return 1",
    ["returned", "threw"],
  ],
  [
    "log of what is wide",
    "console.log(new Array(1e9), new Uint8Array(1e6), Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ['k' + i, i])), new Map(Array.from({ length: 1e5 }, (_, i) => [i, i])), 'x'.repeat(1e7)); return 1",
    ["returned", "memory", "cpu"],
  ],
  [
    "log of what lies about its kind",
    "class M extends Map { get size() { return -1 } forEach() { for(;;); } } class E extends Error { get name() { return 1 } get message() { return { toString: () => 'x'.repeat(1e6) } } } console.log(new M([[1, 2]]), new E('x'), Object.setPrototypeOf([1], null), new Date(NaN)); return 1",
    ["returned", "threw"],
  ],
  [
    "arguments with the names of prototypes",
    "return [({}).polluted, args.polluted, Object.keys(args), context.toolName]",
    "returned",
    {
      argumentsJson: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}',
      returns: [null, null, ["__proto__", "constructor", "toString"], "abuse"],
    },
  ],
  [
    "ids that are names of prototypes",
    "for (const id of ['__proto__', 'constructor', 'toString', NaN, -1, 1.5, {}, [], null, Symbol.iterator, 2 ** 53, '1']) { clearTimeout(id); clearInterval(id) } return 1",
    "returned",
    { returns: 1 },
  ],
  [
    "a frozen context",
    "try { context.toolName = 'x'; return 'changed' } catch (e) { return e.name }",
    "returned",
    { returns: "TypeError" },
  ],
  [
    "a result with the names of prototypes",
    'return JSON.parse(\'{"__proto__":{"a":1},"constructor":1}\')',
    "returned",
  ],
  [
    "a result that changes as it is read",
    "let n = 0; return { get a() { return 'x'.repeat(n++ * 1e6) }, toJSON() { return { a: 'y'.repeat(2e6) } } }",
    "result_too_large",
  ],
  [
    "a result that calls the runtime",
    "return { toJSON() { console.log('inside'); emit(1); setTimeout(() => console.log('late'), 60_000); return 1 } }",
    "returned",
    { returns: 1, said: /^info: inside\nprogress: 1$/u },
  ],
  [
    "a private member of a response",
    "try { return Object.getOwnPropertyDescriptor(Response.prototype, 'ok').get.call({ status: 1 }) } catch (e) { return e.name }",
    "returned",
  ],
  [
    "methods on objects they are not of",
    "const out = []; for (const f of [URL.prototype.toString, Headers.prototype.get, Response.prototype.text, URLSearchParams.prototype.get]) for (const o of [null, undefined, {}, new Proxy({}, {}), 1]) try { await f.call(o, 'x'); out.push('ran') } catch (e) { out.push(e.name) } console.log(out.join()); return 1",
    "returned",
  ],
];

abuseSuite("objects of the host", { cpuMs: 500, memoryMib: 50 }, { STACKS, SHOWN });
