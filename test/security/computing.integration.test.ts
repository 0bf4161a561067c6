import { abuseSuite } from "./support/abuse-suite.ts";
import type { AbuseRow } from "./support/abuse-row.ts";

const LOOPS: AbuseRow[] = [
  ["spins through labels", "a: for(;;) { b: for(;;) { continue a } }", "cpu"],
  ["loops in finally for ever", "try { throw 1 } finally { for(;;); }", "cpu"],
  [
    "catches its own end, again and again",
    "for(;;) { try { for(;;); } catch {} finally { for(;;); } }",
    "cpu",
  ],
  [
    "returns from finally for ever",
    "for(;;) { (() => { try { return 1 } finally { while (true) { break } } })() }",
    "cpu",
  ],
  [
    "loops in a finally of each level",
    "const f = (n) => { try { f(n + 1) } finally { f(n + 1) } }; f(0)",
    ["cpu", "threw"],
  ],
  ["recurses", "const f = () => f(); f()", "threw", { message: /RangeError/ }],
  ["recurses and catches for ever", "const f = () => { try { f() } catch { f() } }; f()", ["cpu", "threw"]],
  [
    "recurses through JSON",
    "const a = { toJSON() { return JSON.parse(JSON.stringify({ a })) } }; return a",
    ["cpu", "output_invalid", "memory"],
  ],
  ["recurses through a getter", "const o = { get a() { return this.a } }; return o", "output_invalid"],
  ["recurses through toString", "const o = { toString() { return `${this}` } }; return `${o}`", "threw"],
  [
    "recurses through a proxy's prototype",
    "const p = new Proxy({}, { getPrototypeOf: () => p, get: (t, k, r) => Reflect.get(r, k) }); return p.x",
    "threw",
  ],
  [
    "walks a proxy's endless prototypes",
    "const p = new Proxy({}, { getPrototypeOf: () => p }); return ({}) instanceof Object && p instanceof Map",
    ["cpu", "threw"],
  ],
  ["never ends its generator", "function* g() { for(;;) yield 1 } for (const _ of g());", "cpu"],
  [
    "spreads an endless iterator",
    "return [...{ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }]",
    ["memory", "cpu"],
  ],
  [
    "chains endless iterator helpers",
    "function* g() { for(;;) yield 1 } return g().map((x) => x).filter(() => false).toArray()",
    "cpu",
  ],
  [
    "flattens endless iterators",
    "function* g() { for(;;) yield [] } for (const x of g().flatMap((y) => y)) return x",
    "cpu",
  ],
  [
    "sorts with a hostile comparator",
    "return Array.from({ length: 1e6 }, (_, i) => i).sort(() => Math.random() - 0.5).length",
    ["cpu", "memory", "returned"],
  ],
  ["sorts with a comparator that spins", "return [1, 2, 3].sort(() => { for(;;); })", "cpu"],
  [
    "sorts what grows while it is sorted",
    "const a = [3, 2, 1]; a.sort((x, y) => { for (let i = 0; i < 1e4; i++) a.push(i); return x - y }); for(;;) a.sort(() => 1)",
    ["cpu", "memory"],
  ],
  [
    "looks through a huge sparse array",
    "const a = []; a[4294967294] = 1; return a.indexOf(2)",
    ["cpu", "returned"],
  ],
  ["joins a huge sparse array", "return new Array(4294967295).join('x').length", ["threw", "cpu"]],
  [
    "walks an object that claims a huge length",
    "return Array.prototype.map.call({ length: 2 ** 53 - 1 }, (x) => x)",
    ["threw", "cpu"],
  ],
  [
    "searches an object that claims a huge length",
    "return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)",
    "cpu",
  ],
  [
    "reverses an object that claims a huge length",
    "return Array.prototype.reverse.call({ length: 2 ** 53 - 1 })",
    "cpu",
  ],
  [
    "stretches a date in a loop",
    "const d = new Date(); for(;;) d.setDate(d.getDate() + 1), d.toISOString()",
    ["cpu", "threw"],
  ],
  [
    "steps through Temporal",
    "let d = Temporal.PlainDate.from('2020-01-01'); for(;;) d = d.add({ days: 1 }), d.with({ day: 1 })",
    ["cpu", "threw"],
  ],
  ["asks Temporal for every instant", "for(;;) Temporal.Now.instant().toString()", ["cpu", "threw"]],
];

const BUILT_INS: AbuseRow[] = [
  ["backtracks: nested quantifiers", "return /(a*)*b/.test('a'.repeat(50))", "cpu"],
  ["backtracks: alternation", "return /^(a|a)*$/.test('a'.repeat(50) + 'b')", "cpu"],
  ["backtracks: an overlapping class", "return /^(\\w+\\s?)*$/.test('word '.repeat(20) + '!')", "cpu"],
  ["backtracks: a lookahead", "return /^(?=(a+)+$)b/.test('a'.repeat(50) + 'b')", "cpu"],
  ["backtracks: a lookbehind", "return /(?<=(a+)+c)b/.test('a'.repeat(50) + 'b')", ["cpu", "returned"]],
  ["backtracks: a back-reference", "return /^(a+)+\\1$/.test('a'.repeat(40) + 'b')", "cpu"],
  ["backtracks: unicode sets", "return /^([\\p{L}--[b]]+)+$/v.test('a'.repeat(50) + '1')", "cpu"],
  ["backtracks in a replace", "return 'a'.repeat(50).replace(/(a+)+b/g, 'x')", "cpu"],
  ["backtracks in a split", "return ('a'.repeat(50) + '!').split(/(?:a+)+b/).length", "cpu"],
  [
    "compiles a huge expression",
    "return new RegExp('(?:a?){1000}'.repeat(500)).test('a'.repeat(5000))",
    ["cpu", "threw", "memory", "returned"],
  ],
  [
    "compiles expressions for ever",
    "for (let i = 0;; i++) new RegExp(`(${i})${'(?:a|b)'.repeat(200)}`).test('a')",
    ["cpu", "memory"],
  ],
  ["raises a BigInt", "return (3n ** 40000000n).toString(10).length", ["cpu", "threw", "memory"]],
  ["multiplies BigInts", "let n = 2n ** 1000n; for(;;) n *= n", ["cpu", "threw", "memory"]],
  ["divides huge BigInts", "const n = 7n ** 3000000n; for(;;) n % (3n ** 1500000n)", "cpu"],
  ["parses a huge BigInt", "return BigInt('9'.repeat(2e7)) > 0n", ["cpu", "threw", "memory"]],
  [
    "replaces everything by more",
    "let s = 'a'; for(;;) s = s.replaceAll('a', 'aaaa')",
    ["memory", "threw", "cpu"],
  ],
  [
    "normalizes for ever",
    "const s = '\\u1E9B\\u0323'.repeat(1e6); for(;;) s.normalize('NFKD')",
    ["cpu", "memory"],
  ],
  [
    "compares in locales for ever",
    "const s = 'ä'.repeat(1e5); for(;;) s.localeCompare(s + 'b', 'sv')",
    "cpu",
  ],
  [
    "segments for ever",
    "for(;;) [...new Intl.Segmenter('th').segment('ก'.repeat(1e4))].length",
    ["cpu", "memory"],
  ],
  [
    "escapes and unescapes",
    "let s = '%'.repeat(1e6); for(;;) s = decodeURIComponent(encodeURIComponent(s))",
    ["cpu", "memory"],
  ],
  ["a reviver that spins", "JSON.parse('[1,2]', () => { for(;;); })", "cpu"],
  [
    "a reviver that grows what it walks",
    "return JSON.parse('[1,[2]]', function (k, v) { if (Array.isArray(this)) for (let i = 0; i < 100; i++) this.push([i]); return v })",
    ["cpu", "memory", "threw", "output_invalid", "returned"],
  ],
  ["a replacer that spins", "return JSON.stringify({ a: 1 }, () => { for(;;); })", "cpu"],
  ["a replacer that never ends", "return JSON.stringify({ a: 1 }, (k, v) => ({ a: 1 }))", ["threw", "cpu"]],
  ["a toJSON that spins in the result", "return { a: [{ toJSON() { for(;;); } }] }", "cpu"],
  ["a getter that spins in the result", "return { get a() { for(;;); } }", "cpu"],
  ["a proxy that spins in the result", "return new Proxy({}, { ownKeys() { for(;;); } })", "cpu"],
  ["an error whose message spins", "throw { get message() { for(;;); }, name: 'x' }", "cpu"],
  [
    "an error whose stack spins",
    "throw Object.defineProperty(new Error('x'), 'stack', { get() { for(;;); } })",
    "cpu",
  ],
  ["an error that spins when it is made text", "throw { name: { toString() { for(;;); } } }", "cpu"],
  [
    "a stack formatter that spins",
    "Error.prepareStackTrace = () => { for(;;); }; throw new Error('x')",
    ["cpu", "threw"],
  ],
  ["a log value that spins", "console.log({ get a() { for(;;); } })", ["cpu", "returned"]],
  [
    "a logged proxy that spins",
    "console.log(new Proxy({}, { get() { for(;;); }, ownKeys() { for(;;); }, getPrototypeOf() { for(;;); } }))",
    ["cpu", "returned"],
  ],
  ["a toPrimitive that spins", "return +{ [Symbol.toPrimitive]() { for(;;); } }", "cpu"],
  ["clones what spins", "return structuredClone({ get a() { for(;;); } })", "cpu"],
];

abuseSuite("computing for ever", { cpuMs: 100, memoryMib: 32 }, { LOOPS, BUILT_INS });
