import { abuseSuite } from "./support/abuse-suite.ts";
import type { AbuseRow, RowDetails } from "./support/abuse-row.ts";
import { POISON } from "./support/poison.ts";

/** Uses one part of the runtime after everything that it might lean on was replaced; nothing internal may come by. */
const poisoned = (name: string, use: string, details: RowDetails = {}): AbuseRow => [
  `${name}, with every method and prototype poisoned`,
  `${POISON} poison(); ${use}; const internals = accuse(); return { __proto__: null, internals }`,
  "returned",
  { ...details, returns: { internals: 0 }, said: details.said ?? /^(?![\s\S]*forged)/u },
];

const PARTS: AbuseRow[] = [
  poisoned("a log line", "console.log('line', 1, true)", { said: /^info: line 1 true$/u }),
  poisoned("a log line of values", "console.log({ a: [1, { b: 2 }] }, [1], null, undefined)"),
  poisoned(
    "a log line of things",
    "console.log(new Map([[1, 2]]), new Error('e'), /x/, new Date(0), Symbol('s'), 1n, () => 1)",
  ),
  poisoned("an emitted value", "emit({ a: 1 })"),
  poisoned("timers", "await new Promise((r) => setTimeout(r, 1)); clearTimeout(setTimeout(() => 1, 1))"),
  poisoned("microtasks", "queueMicrotask(() => 1); await null"),
  poisoned(
    "a fetch that is refused",
    "try { await fetch('http://a', { method: 'post', headers: { a: 'b' }, body: 'c' }) } catch {}",
    { network: true },
  ),
  poisoned("a URL", "try { new URL('http://h.example/p?q=1').searchParams.get('q') } catch {}"),
  poisoned(
    "streams that are piped",
    "try { const parts = new ReadableStream({ start(c) { c.enqueue(new Uint8Array([65])); c.close() } }).pipeThrough(new TextDecoderStream('gbk')); for await (const part of parts) part.length } catch {}",
  ),
  poisoned("a body as a stream", "try { await new Response('x').body.getReader().read() } catch {}"),
  poisoned(
    "an event",
    "try { const t = new EventTarget(); t.addEventListener('a', () => 1); t.dispatchEvent(new Event('a')) } catch {}",
  ),
  poisoned(
    "a text in another encoding",
    "try { new TextDecoder('shift_jis').decode(new Uint8Array([65])) } catch {}",
  ),
  poisoned("a clone", "try { structuredClone({ a: [new Date(0), new Map()] }) } catch {}"),
  poisoned(
    "base64 and bytes",
    "try { atob(btoa('x')); new TextDecoder().decode(new TextEncoder().encode('ä')) } catch {}",
  ),
  poisoned("randomness", "try { crypto.randomUUID() } catch {}"),
  poisoned("an unhandled rejection", "Promise.reject(new Error('lost')); await null"),
  poisoned(
    "an abort",
    "try { const c = new AbortController(); c.signal.addEventListener('abort', () => 1); c.abort() } catch {}",
  ),
];

const METHODS: AbuseRow[] = [
  [
    "a then that answers for the runtime",
    "Object.getPrototypeOf((async () => 1)()).then = function (f) { f('forged') }; return 'right'",
    "returned",
    { returns: "right" },
  ],
  [
    "a JSON that lies",
    "JSON.stringify = () => '\"forged\"'; JSON.parse = () => 'forged'; return { right: 1 }",
    "returned",
    { returns: { right: 1 } },
  ],
  [
    "String that lies",
    "const S = String; S.prototype.slice = () => 'x'.repeat(1e6); S.prototype.charCodeAt = () => 0; console.log('y'.repeat(20000)); return 1",
    "returned",
    {
      returns: 1,
      said: /^info: y{8000,8192} … \(cut\)\nwarn: Log lines end at 8,192 bytes; longer ones are cut\.$/u,
    },
  ],
  [
    "Map that lies",
    "Map.prototype.get = () => () => 'forged'; Map.prototype.set = () => 1; await new Promise((r) => setTimeout(r, 1)); return 1",
    "returned",
    { returns: 1 },
  ],
  [
    "a setter that catches what is pushed",
    "const got = []; Object.defineProperty(Array.prototype, '0', { set(v) { got.push(typeof v) }, configurable: true }); console.log('a', [1]); emit([1]); delete Array.prototype[0]; return got.filter((t) => t === 'function')",
    "returned",
    { returns: [] },
  ],
  [
    "an iterator that is changed",
    "Array.prototype[Symbol.iterator] = function* () { yield 'forged' }; console.log('a', 'b'); emit([1]); return [2]",
    "returned",
    { returns: [2], said: /^info: a b\nprogress: \[1\]$/u },
  ],
  [
    "a Symbol.species that is changed",
    "Object.defineProperty(Promise, Symbol.species, { get() { return class { constructor(e) { e(() => 'forged', () => 1) } } } }); return 'right'",
    "returned",
    { returns: "right" },
  ],
  [
    "a constructor of promises that is changed",
    "Object.getPrototypeOf((async () => 1)()).constructor = class { constructor(e) { e(() => 1, () => 1) } }; await null; return 'right'",
    "returned",
    { returns: "right" },
  ],
  [
    "Reflect.apply that is changed",
    "Reflect.apply = () => 'forged'; Reflect.ownKeys = () => ['forged']; console.log({ a: 1 }); return { a: 1 }",
    "returned",
    { returns: { a: 1 }, said: /a: 1/u },
  ],
  [
    "a toJSON for everything",
    "Object.prototype.toJSON = () => 'mine'; return { a: 1 }",
    "returned",
    { returns: "mine" },
  ],
  [
    "an endless toJSON for everything",
    "Object.prototype.toJSON = function () { return { a: this } }; return 1",
    ["returned"],
    { returns: 1 },
  ],
  [
    "values of descriptors by inheritance",
    "Object.prototype.get = () => 'forged'; console.log('x'); try { await fetch('http://a') } catch {} delete Object.prototype.get; return 1",
    "returned",
    { returns: 1, network: true },
  ],
  [
    "a bound that is raised by inheritance",
    "Object.prototype.bytesLeft = 1e9; Object.prototype.resultBytes = 1e9; for (let i = 0; i < 2000; i++) console.log('x'.repeat(1000)); return 'y'.repeat(3e6)",
    "result_too_large",
  ],
  [
    "the message of a refusal, forged",
    "Object.prototype.code = 'egress_denied'; throw new Error('x')",
    "threw",
    { message: /^Error: x/u },
  ],
  [
    "Error that is changed",
    "Error.prototype.toString = () => 'forged'; Error.prototype.name = 'Forged'; throw new TypeError('t')",
    "threw",
    { message: /^TypeError: t/u },
  ],
  [
    "a stack that is made up",
    "const e = new Error('m'); e.stack = 'at (tool.js:9999999:1)\\n    at x (/etc_passwd:1:1)'; throw e",
    "threw",
    { message: /^Error: m/u },
  ],
  [
    "a stack formatter that sees call sites",
    "let out = []; Error.prepareStackTrace = (e, sites) => { out = sites.map((s) => [typeof s.getThis(), typeof s.getFunction()]); return 'x' }; try { new URL('::') } catch (e) { void e.stack } try { null.x } catch (e) { void e.stack } return out.flat().filter((t) => t === 'function' || t === 'object')",
    "returned",
    { returns: [] },
  ],
  [
    "Symbol.hasInstance that lies",
    "Object.defineProperty(Response, Symbol.hasInstance, { value: () => true }); Object.defineProperty(AbortSignal, Symbol.hasInstance, { value: () => true }); try { await fetch('http://a', { signal: { throwIfAborted() {}, addEventListener(t, f) { for (let i = 0; i < 9; i++) f() } } }) } catch {} return 1",
    "returned",
    { returns: 1, network: true },
  ],
];

abuseSuite("poison", { cpuMs: 2_000 }, { PARTS, METHODS });
