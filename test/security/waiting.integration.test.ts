import { abuseSuite } from "./support/abuse-suite.ts";
import type { AbuseRow } from "./support/abuse-row.ts";

const PROMISES: AbuseRow[] = [
  ["a then that is never called back", "return { then() {} }", "wall"],
  [
    "a then that settles twice",
    "return { then(resolve) { resolve(1); resolve(2); resolve(3) } }",
    "returned",
    { returns: 1 },
  ],
  [
    "a then that settles and rejects",
    "return { then(resolve, reject) { resolve(1); reject(new Error('late')); throw new Error('later') } }",
    "returned",
    { returns: 1 },
  ],
  ["a then that spins", "return { then() { for(;;); } }", "cpu"],
  ["a then that gives itself", "const o = { then(resolve) { resolve(o) } }; return o", "cpu"],
  [
    "a then that gives another, without end",
    "const make = () => ({ then: (resolve) => resolve(make()) }); return make()",
    ["cpu", "memory"],
  ],
  [
    "a then behind a getter that differs",
    "let n = 0; return { get then() { return n++ ? undefined : (r) => r('once') } }",
    "returned",
    { returns: "once" },
  ],
  [
    "a then behind a getter that throws",
    "return { get then() { throw new Error('from then') } }",
    "threw",
    { message: /from then/ },
  ],
  [
    "a promise chain without end",
    "const step = () => Promise.resolve().then(step); return step()",
    ["cpu", "memory"],
  ],
  ["a promise chain that grows", "let p = Promise.resolve(); for(;;) p = p.then(() => 1)", ["cpu", "memory"]],
  [
    "all of too many promises",
    "return (await Promise.all(Array.from({ length: 1e6 }, async () => 1))).length",
    ["cpu", "memory", "returned"],
  ],
  ["a race that nobody wins", "return Promise.race([])", "wall"],
  ["any of what never ends", "return Promise.any([new Promise(() => {})])", "wall"],
  [
    "a promise that resolves itself",
    "const p = new Promise((r) => setTimeout(() => r(p), 1)); return p",
    "threw",
    { message: /[Cc]haining cycle/ },
  ],
  [
    "queueMicrotask without end",
    "const again = () => queueMicrotask(again); again(); await new Promise(() => {})",
    "cpu",
  ],
  [
    "microtasks that double",
    "const again = () => { queueMicrotask(again); queueMicrotask(again) }; again(); await new Promise(() => {})",
    ["cpu", "memory"],
  ],
  ["microtasks after the result", "const again = () => queueMicrotask(again); again(); return 1", "cpu"],
  ["an async loop after the result", "(async () => { for(;;) await null })(); return 1", "cpu"],
  ["a loop in a microtask", "queueMicrotask(() => { for(;;); }); return 1", "cpu"],
  ["unhandled rejections without end", "for(;;) Promise.reject(new Error('x'))", ["cpu", "memory", "wall"]],
  [
    "unhandled rejections, one each turn",
    "for(;;) { Promise.reject(new Error('x')); await null }",
    ["cpu", "memory"],
  ],
  [
    "unhandled rejections of hostile values",
    "for (let i = 0; i < 50; i++) Promise.reject(new Proxy({}, { get() { throw 1 } })); Promise.reject({ get message() { return 'm'.repeat(1e6) } }); Promise.reject(Symbol('s')); Promise.reject(null); return 1",
    "returned",
    { returns: 1 },
  ],
  [
    "an unhandled rejection whose message spins",
    "Promise.reject({ get message() { for(;;); }, get name() { for(;;); }, get stack() { for(;;); }, toString() { for(;;); } }); return 1",
    ["cpu", "returned"],
  ],
  ["try, catch and await for ever", "for(;;) try { await Promise.reject(1) } catch {}", "cpu"],
  ["a finally that waits for ever", "try { return 1 } finally { await new Promise(() => {}) }", "wall"],
  [
    "a finally that goes on after the end",
    "try { await new Promise((_, reject) => setTimeout(reject, 5)) } finally { for(;;) await null }",
    "cpu",
  ],
];

const GENERATORS: AbuseRow[] = [
  [
    "an async generator without end",
    "async function* g() { for(;;) yield 1 } for await (const _ of g());",
    "cpu",
  ],
  [
    "for await over what is never there",
    "for await (const _ of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });",
    "wall",
  ],
  [
    "for await whose return spins",
    "for await (const _ of { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false }), return() { for(;;); } }) }) break",
    "cpu",
  ],
  [
    "an async generator that delegates to itself",
    "async function* g() { yield* g() } for await (const _ of g());",
    ["cpu", "memory", "threw"],
  ],
  [
    "a generator that delegates to itself",
    "function* g() { yield* g() } for (const _ of g());",
    ["threw", "cpu"],
  ],
  [
    "Array.fromAsync without end",
    "async function* g() { for(;;) yield 1 } return (await Array.fromAsync(g())).length",
    ["cpu", "memory"],
  ],
  ["Array.fromAsync of hostile promises", "return Array.fromAsync({ length: 3, 0: { then() {} } })", "wall"],
  [
    "an async dispose that never ends",
    "await using x = { [Symbol.asyncDispose]: () => new Promise(() => {}) }; return 1",
    ["wall", "threw"],
  ],
  ["a dispose that spins", "using x = { [Symbol.dispose]() { for(;;); } }; return 1", ["cpu", "threw"]],
  [
    "requests of a generator, piled up",
    "async function* g() { await new Promise(() => {}) } const i = g(); for(;;) i.next()",
    ["memory", "cpu"],
  ],
];

const TIMERS: AbuseRow[] = [
  ["timers without end", "for(;;) setTimeout(() => {}, 0)", "threw", { message: /timers/ }],
  ["timers without end, each failure caught", "for(;;) try { setTimeout(() => {}, 0) } catch {}", "cpu"],
  [
    "intervals that each do nothing",
    "for (let i = 0; i < 900; i++) setInterval(() => {}, 0); await new Promise(() => {})",
    ["cpu", "wall"],
  ],
  ["a timer that spins", "setTimeout(() => { for(;;); }); await new Promise(() => {})", "cpu"],
  [
    "a timer that starts the next, for ever",
    "const again = () => setTimeout(again, 0); again(); await new Promise(() => {})",
    ["wall", "cpu"],
  ],
  [
    "timers set and cleared for ever",
    "for(;;) clearTimeout(setTimeout(() => {}, 1e9))",
    ["cpu", "memory", "wall"],
  ],
  ["a timer in the far future", "await new Promise((r) => setTimeout(r, 2 ** 31 - 1))", "wall"],
  [
    "a timer with an odd delay",
    "const at = []; for (const ms of [NaN, -1, Infinity, '1', {}, [], null, 2 ** 40, { valueOf: () => 1 }]) await new Promise((r) => setTimeout(r, ms)).then(() => at.push(1)); return at.length",
    "returned",
    { returns: 9 },
  ],
  ["a delay that spins", "setTimeout(() => {}, { valueOf() { for(;;); } })", "cpu"],
  [
    "a timer whose callback throws",
    "setTimeout(() => { throw new Error('in a timer') }); await new Promise((r) => setTimeout(r, 20)); return 1",
    "returned",
    { said: /in a timer/ },
  ],
  [
    "intervals after the result",
    "setInterval(() => console.log('ghost'), 1); return 1",
    "returned",
    { returns: 1 },
  ],
  [
    "timers whose arguments are large",
    "for (let i = 0; i < 900; i++) setTimeout(() => {}, 1e6, new Array(1e4).fill(i)); await new Promise(() => {})",
    ["memory", "wall"],
  ],
  [
    "an abort signal's timeout that spins",
    "AbortSignal.timeout(1).addEventListener('abort', () => { for(;;); }); await new Promise(() => {})",
    "cpu",
  ],
  [
    "waits and is cancelled",
    "for(;;) await new Promise((r) => setTimeout(r, 5))",
    "aborted",
    { cancelAfterMs: 60 },
  ],
  ["floods microtasks and is cancelled", "for(;;) await null", "aborted", { cancelAfterMs: 60 }],
  [
    "parses for ever and is cancelled",
    "const s = '[' + '1,'.repeat(1e6) + '1]'; for(;;) JSON.parse(s)",
    ["aborted", "memory"],
    { cancelAfterMs: 60, limits: { memoryMib: 64 } },
  ],
  ["is cancelled as it starts", "for(;;);", "aborted", { cancelAfterMs: 0 }],
];

abuseSuite("waiting, or never", { cpuMs: 150, wallMs: 300, memoryMib: 32 }, { PROMISES, GENERATORS, TIMERS });
