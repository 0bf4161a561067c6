import { abuseSuite } from "./support/abuse-suite.ts";
import type { AbuseRow, Outcome } from "./support/abuse-row.ts";

/** Where allocation is fast the heap gives up first, where it is slow the clock does; a few built-ins refuse by themselves. */
const ENDS: Outcome[] = ["memory", "cpu", "threw"];

const GROWTH: AbuseRow[] = [
  ["sets", "const s = new Set(); for (let i = 0;; i++) s.add('k' + i)", ENDS],
  ["weak references", "const a = []; for(;;) a.push(new WeakRef({ a: 1 }))", ENDS],
  [
    "a weak map and its keys",
    "const a = [], m = new WeakMap(); for(;;) { const k = {}; m.set(k, { k }); a.push(k) }",
    ENDS,
  ],
  ["typed arrays", "const a = []; for(;;) a.push(new Float64Array(1e5).fill(1.5))", ENDS],
  ["one huge typed array", "return new Uint8Array(2 ** 32).length", ENDS],
  [
    "typed arrays without an end",
    "const a = []; for(;;) try { a.push(new Uint8Array(2 ** 20).fill(7)) } catch {}",
    ENDS,
  ],
  [
    "buffers that resize",
    "const a = []; for(;;) { const b = new ArrayBuffer(8, { maxByteLength: 2 ** 28 }); b.resize(2 ** 24); a.push(b) }",
    ENDS,
  ],
  [
    "buffers that move",
    "let b = new ArrayBuffer(2 ** 20); const a = []; for(;;) { b = b.transfer(b.byteLength + 2 ** 20); a.push(b.slice(0)) }",
    ENDS,
  ],
  ["views of buffers", "const b = new ArrayBuffer(8), a = []; for(;;) a.push(new DataView(b))", ENDS],
  ["symbols", "const o = {}; for (let i = 0;; i++) o[Symbol('s' + i)] = i", ENDS],
  ["the symbol registry", "for (let i = 0;; i++) Symbol.for('registered' + i + 'x'.repeat(1000))", ENDS],
  ["property names", "const o = {}; for (let i = 0;; i++) o['p' + i] = i", ENDS],
  [
    "hidden shapes",
    "const a = []; for (let i = 0;; i++) { const o = {}; for (let j = 0; j < 50; j++) o['k' + i + j] = j; a.push(o) }",
    ENDS,
  ],
  [
    "closures",
    "const a = []; for(;;) { const big = new Array(100).fill(a.length); a.push(() => big) }",
    ENDS,
  ],
  ["classes", "const a = []; for(;;) a.push(class { static x = new Array(50) })", ENDS],
  [
    "generators that wait",
    "function* g() { yield new Array(1000).fill(1) } const a = []; for(;;) { const i = g(); i.next(); a.push(i) }",
    ENDS,
  ],
  [
    "async frames that wait",
    "const p = new Promise(() => {}); for(;;) (async () => { const x = new Array(1000).fill(1); await p; return x })()",
    ENDS,
  ],
  [
    "errors with long stacks",
    "Error.stackTraceLimit = 1e6; const a = []; const f = (n) => n ? f(n - 1) : a.push(new Error('x'.repeat(1000)).stack); for(;;) f(500)",
    ENDS,
  ],
  ["causes of causes", "let e = new Error('0'); for(;;) e = new Error('x', { cause: e })", ENDS],
  ["aggregates of errors", "const a = []; for(;;) { a.push(new Error('x')); new AggregateError(a) }", ENDS],
  [
    "regular expressions",
    "const a = []; for (let i = 0;; i++) { const r = new RegExp('x{' + (i % 900) + '}y' + i); r.test('xy'); a.push(r) }",
    ENDS,
  ],
  [
    "number formats",
    "const a = []; for(;;) a.push(new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' }))",
    ENDS,
  ],
  ["collators", "const a = []; for(;;) a.push(new Intl.Collator('sv', { numeric: true }))", ENDS],
  [
    "segmenters",
    "const a = []; for(;;) a.push([...new Intl.Segmenter('de', { granularity: 'word' }).segment('a b '.repeat(1e4))])",
    ENDS,
  ],
  [
    "dates of Temporal",
    "const a = []; for (let i = 0;; i++) a.push(Temporal.PlainDate.from('2020-01-01').add({ days: i % 9999 }))",
    ENDS,
  ],
  ["BigInts", "const a = []; for (let i = 0n;; i++) a.push(2n ** 100000n + i)", ENDS],
  ["linked lists", "let l = null; for(;;) l = { l, a: [1, 2, 3] }", ENDS],
  [
    "objects that don't let go",
    "const s = new DisposableStack(); for(;;) s.defer(() => new Array(1000).fill(1))",
    ENDS,
  ],
  [
    "URLs",
    "const a = []; for (let i = 0;; i++) a.push(new URL('http://h.example/' + 'x'.repeat(1000) + i))",
    ENDS,
  ],
  [
    "query parameters",
    "const q = new URLSearchParams(); for (let i = 0;; i++) q.append('k' + i, 'v'.repeat(1000))",
    ENDS,
  ],
  ["headers", "const h = new Headers(); for (let i = 0;; i++) h.append('k' + i, 'v'.repeat(1000))", ENDS],
  [
    "abort listeners",
    "const { signal } = new AbortController(); for(;;) signal.addEventListener('abort', () => new Array(100))",
    ENDS,
  ],
  ["responses", "const a = []; for(;;) a.push(new Response('x'.repeat(1e5) + a.length))", ENDS],
];

const BOMBS: AbuseRow[] = [
  [
    "pads a string to half a gigabyte and reads it",
    "const s = ''.padStart(2 ** 29 - 24, 'ab'); return s.charCodeAt(2 ** 28)",
    ENDS,
  ],
  [
    "repeats a string to half a gigabyte and reads it",
    "return 'ab'.repeat(2 ** 28 - 12).indexOf('b', 2 ** 28)",
    [...ENDS, "returned"],
  ],
  ["repeats beyond what a string may be", "return 'x'.repeat(2 ** 30)", "threw", { message: /RangeError/ }],
  ["joins to more than a string may be", "return new Array(2 ** 20).fill('x'.repeat(1024)).join('')", ENDS],
  ["replaces by what was found, doubled", "let s = 'x'; for(;;) s = s.replace(/.+/s, '$&$&')", ENDS],
  ["splits half a gigabyte", "return ''.padStart(2 ** 27).split('').length", ENDS],
  ["concatenates arrays on and on", "let a = [1.5]; for(;;) a = a.concat(a)", ENDS],
  [
    "flattens what is doubled at each level",
    "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a.flat(Infinity).length",
    ENDS,
  ],
  [
    "writes JSON that is doubled at each level",
    "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a",
    [...ENDS, "result_too_large", "output_invalid"],
  ],
  [
    "indents JSON to a bomb",
    "let a = []; for (let i = 0; i < 900; i++) a = [a, a.length]; return JSON.stringify(a, null, '          ').length",
    [...ENDS, "returned"],
  ],
  ["nests JSON deep", "return JSON.parse('['.repeat(1e6) + ']'.repeat(1e6)).length", [...ENDS, "returned"]],
  [
    "returns what nests deep",
    "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a",
    ["output_invalid", ...ENDS],
  ],
  [
    "clones what is doubled at each level",
    "let a = [1]; for (let i = 0; i < 40; i++) a = [a, [...a]]; return structuredClone(a).length",
    [...ENDS, "returned"],
  ],
  [
    "clones what nests deep",
    "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return structuredClone(a).length",
    [...ENDS, "returned"],
  ],
  [
    "clones for ever",
    "const a = new Array(1e5).fill({ a: 1 }); const all = []; for(;;) all.push(structuredClone(a))",
    ENDS,
  ],
  ["makes an array from a huge length", "return Array.from({ length: 2 ** 32 - 1 })", ENDS],
  ["applies a function to too many", "return Math.max.apply(null, new Array(1e7).fill(1))", ENDS],
  ["spreads into too many arguments", "return Math.max(...new Array(2e6).fill(1))", [...ENDS, "returned"]],
  [
    "names a function with half a gigabyte",
    "const f = { [''.padStart(2 ** 28)]: () => 1 }; return Object.keys(f)[0].length",
    [...ENDS, "returned"],
  ],
  [
    "describes a symbol with half a gigabyte",
    "return Symbol(''.padStart(2 ** 28)).toString().length",
    [...ENDS, "returned"],
  ],
  ["decodes base64 to a bomb", "let s = 'YWFh'.repeat(1e6); const a = []; for(;;) a.push(atob(s))", ENDS],
  [
    "encodes text to bytes on and on",
    "const a = []; for(;;) a.push(new TextEncoder().encode('ä'.repeat(1e6)))",
    ENDS,
  ],
  ["throws a megabyte", "throw new Error('x'.repeat(1e6))", "threw"],
  [
    "throws half a gigabyte that must be read",
    "throw { name: 'E', message: ''.padStart(2 ** 29 - 24, 'ab') }",
    "threw",
  ],
  [
    "returns a field of half a gigabyte below a field",
    "return { a: { b: ''.padStart(2 ** 29 - 24) } }",
    ["result_too_large", ...ENDS],
  ],
  ["emits half a gigabyte", "emit(''.padStart(2 ** 29 - 24)); return 1", [...ENDS, "returned"]],
  [
    "logs half a gigabyte",
    "console.log(''.padStart(2 ** 29 - 24), { a: ''.padStart(2 ** 29 - 24) }); return 1",
    [...ENDS, "returned"],
  ],
  [
    "asks for a URL of half a gigabyte",
    "return new URL(''.padStart(2 ** 29 - 24, 'http://a/')).href.length",
    ENDS,
  ],
  [
    "fetches a URL of half a gigabyte",
    "await fetch(''.padStart(2 ** 29 - 24, 'http://a/'))",
    ENDS,
    { network: true },
  ],
];

abuseSuite("growing", { cpuMs: 250, memoryMib: 32 }, { GROWTH, BOMBS });
