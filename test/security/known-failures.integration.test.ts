import { abuseSuite } from "./support/abuse-suite.ts";
import type { AbuseRow } from "./support/abuse-row.ts";

/** Programs that are known to defeat isolated-vm alone: by its limits, its timeout or its process. */
const HEAP: AbuseRow[] = [
  ["pushes arrays for ever", "const a = []; for(;;) a.push(new Array(1000).fill(1.1))", ["memory", "cpu"]],
  [
    "maps over a huge filled array",
    "return new Array(1e8).fill(0).map((_, i) => ({ i })).length",
    ["memory", "cpu"],
  ],
  [
    "parses a text of 100 MB",
    "return JSON.parse('[' + '1,'.repeat(5e7) + '1]').length",
    ["memory", "threw", "cpu"],
  ],
  ["doubles a string and reads it", "let s = 'xy'; for(;;) { s += s; s.charCodeAt(1) }", ["memory", "threw"]],
  ["grows a map", "const m = new Map(); for(let i = 0;; i++) m.set(i, { i })", ["memory", "cpu"]],
  ["grows buffers", "const a = []; for(;;) a.push(new ArrayBuffer(1e6))", "memory"],
  ["fills an array of 2 ** 27", "const x = {}; return new Array(2 ** 27).fill(x).length", ["memory", "cpu"]],
  [
    "parses millions of nodes",
    "return JSON.parse('[' + '{\"a\":[1]},'.repeat(2e6) + '1]').length",
    ["memory", "cpu"],
  ],
  [
    "writes millions of nodes",
    "const a = []; for (let i = 0; i < 3e5; i++) a.push({ i, b: [i] }); let n = 0; for(;;) n += JSON.stringify(a).length",
    ["memory", "cpu"],
  ],
  [
    "makes 20,000 date formats",
    "const a = []; for (let i = 0; i < 2e4; i++) a.push(new Intl.DateTimeFormat('de', { era: 'long', timeZone: 'UTC' })); return a.length",
    ["memory", "cpu", "threw", "returned"],
  ],
  [
    "takes WebAssembly memories",
    "const a = []; for (let i = 0; i < 48; i++) a.push(new WebAssembly.Memory({ initial: 256 }))",
    "threw",
  ],
  ["returns a rope of 512 M characters", "return ''.padStart(2 ** 29 - 24)", "result_too_large"],
  [
    "answers rightly under memory pressure",
    "const a = []; for (let i = 0; i < 1.5e6; i++) a.push(i + 0.5); return a.length",
    "returned",
    { returns: 1_500_000 },
  ],
];

const TIME: AbuseRow[] = [
  ["spins", "for(;;){}", "cpu"],
  ["spins with time but no processor limit in reach", "for(;;){}", "wall"],
  ["backtracks for ever", "return /^(a+)+$/.test('a'.repeat(40) + '!')", "cpu"],
  ["yields for ever", "for(;;) await null", "cpu"],
  ["prints a huge number", "return (2n ** 50000000n).toString().length", ["cpu", "threw"]],
  ["waits for the host for ever", "for(;;) await new Promise((r) => setTimeout(r, 1))", "wall"],
  [
    "waits for the worker for ever",
    "for(;;) await fetch('http://a').catch(() => 0)",
    ["cpu", "wall"],
    { network: true },
  ],
  ["waits for what never settles", "await new Promise(() => {})", "wall"],
  ["never settles and is cancelled", "await new Promise(() => {})", "aborted", { cancelAfterMs: 50 }],
  ["spins and is cancelled", "for(;;){}", "aborted", { cancelAfterMs: 50 }],
  [
    "sits in a built-in and is cancelled",
    "return /^(a+)+$/.test('a'.repeat(40) + '!')",
    "aborted",
    { cancelAfterMs: 50 },
  ],
  [
    "fills 2 ** 27 and is cancelled",
    "return new Array(2 ** 27).fill({}).length",
    ["aborted", "memory"],
    { cancelAfterMs: 50 },
  ],
];

const HOST: AbuseRow[] = [
  [
    "reads the stacks of refused host calls",
    "const out = []; try { new URL('::') } catch (e) { out.push(e.stack) } try { await fetch('http://a') } catch (e) { out.push(e.stack) } return out.length",
    "returned",
    { network: true, returns: 2 },
  ],
  ["shows those stacks", "try { new URL('::') } catch (e) { console.log(e.stack); throw e }", "threw"],
  [
    "freezes every built-in it finds",
    "for (const k of Object.getOwnPropertyNames(Object.prototype)) {} for (const o of [Object, Array, Promise, Map, JSON, Math, Reflect, String, RegExp, Error]) { Object.freeze(o); if (o.prototype) Object.freeze(o.prototype) } console.log('still'); return [1]",
    "returned",
    { returns: [1], said: /still/ },
  ],
  ["compiles text with eval", "return eval('1')", "threw"],
  [
    "compiles text through a constructor",
    "return (() => 1).constructor('return 1')()",
    "threw",
    { message: /Code generation/ },
  ],
];

abuseSuite(
  "what defeats isolated-vm alone",
  { cpuMs: 400, wallMs: 300, memoryMib: 32 },
  { HEAP, TIME, HOST },
);
