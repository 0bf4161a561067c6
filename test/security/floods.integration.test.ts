import { abuseSuite } from "./support/abuse-suite.ts";
import type { AbuseRow, Outcome } from "./support/abuse-row.ts";

const NETWORK = { network: true };
/** A flood is over when its time is, or its memory. */
const SPENT: Outcome[] = ["cpu", "memory", "wall"];
/** A limit that the first lines reach, so that no machine is too slow to meet it. */
const CUT = { said: /cut off/u, limits: { logBytes: 4_096 } };

const OUTPUT: AbuseRow[] = [
  ["log lines", "for(;;) console.log('x'.repeat(1000))", SPENT, CUT],
  ["empty log lines", "for(;;) console.log()", SPENT, CUT],
  [
    "log lines of every level",
    "for(;;) { console.debug(1); console.info(2); console.warn(3); console.error(4) }",
    SPENT,
    CUT,
  ],
  ["log lines from microtasks", "for(;;) { console.log('x'); await null }", SPENT, CUT],
  [
    "log lines from timers",
    "setInterval(() => { for (let i = 0; i < 1e5; i++) console.log('x') }, 0); await new Promise(() => {})",
    SPENT,
    CUT,
  ],
  [
    "log lines of large objects",
    "const a = Array.from({ length: 1e4 }, (_, i) => ({ i })); for(;;) console.log(a)",
    SPENT,
  ],
  ["log lines of lone surrogates", "for(;;) console.log('\\ud800'.repeat(3000))", SPENT, CUT],
  ["emitted values", "for(;;) emit({ a: 'x'.repeat(100) })", SPENT, CUT],
  ["emitted nulls", "for(;;) emit()", SPENT, CUT],
  [
    "emitted values that nest too deep",
    "let a = []; for (let i = 0; i < 200; i++) a = [a]; for(;;) emit(a)",
    SPENT,
  ],
  ["emitted values that fail", "for(;;) try { emit(1n) } catch {}", SPENT],
  [
    "exactly the log limit, then the result",
    "for (let i = 0; i < 1e5; i++) console.log('0123456789'); return 1",
    ["returned"],
    { returns: 1, said: /cut off/u },
  ],
  [
    "lines beyond the count, then the result",
    "for (let i = 0; i < 20000; i++) console.log(''); return 1",
    ["returned"],
    { returns: 1, said: /cut off/u },
  ],
  [
    "uncaught errors",
    "for(;;) { setTimeout(() => { throw new Error('x'.repeat(1000)) }); await new Promise((r) => setTimeout(r)) }",
    SPENT,
  ],
  ["output by a getter of the result", "return { get a() { for(;;) console.log('x') } }", SPENT, CUT],
];

const EFFECTS: AbuseRow[] = [
  ["requests that nobody waits for", "for(;;) fetch('http://a').catch(() => {})", SPENT, NETWORK],
  ["requests, one after another", "for(;;) await fetch('http://a').catch(() => {})", SPENT, NETWORK],
  [
    "requests in rows",
    "for(;;) await Promise.all(Array.from({ length: 50 }, () => fetch('http://a').catch(() => 0)))",
    SPENT,
    NETWORK,
  ],
  [
    "requests with large bodies",
    "const body = 'x'.repeat(1e6); for(;;) await fetch('http://a', { method: 'POST', body }).catch(() => 0)",
    SPENT,
    NETWORK,
  ],
  [
    "requests with bodies that double when written",
    "const body = '\\u0001'.repeat(5e5); for(;;) await fetch('http://a', { method: 'POST', body }).catch(() => 0)",
    SPENT,
    NETWORK,
  ],
  [
    "requests with too many headers",
    "const headers = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ['h' + i, 'v'])); for(;;) await fetch('http://a', { headers }).catch(() => 0)",
    SPENT,
    NETWORK,
  ],
  [
    "requests with long URLs",
    "for(;;) await fetch('http://a/' + 'x'.repeat(1e5)).catch(() => 0)",
    SPENT,
    NETWORK,
  ],
  [
    "requests that are given up at once",
    "for(;;) { const c = new AbortController(); fetch('http://a', { signal: c.signal }).catch(() => 0); c.abort(); await null }",
    SPENT,
    NETWORK,
  ],
  ["requests without the permission", "return typeof fetch", "returned", { returns: "undefined" }],
  [
    "requests after the result",
    "(async () => { for(;;) await fetch('http://a').catch(() => 0) })(); return 1",
    ["returned", ...SPENT],
    NETWORK,
  ],
  [
    "a hundred requests at one time",
    "return (await Promise.allSettled(Array.from({ length: 100 }, () => fetch('http://a')))).filter((r) => r.reason?.code === 'network_limit' || r.reason?.code === 'egress_denied').length",
    "returned",
    { ...NETWORK, returns: 100 },
  ],
];

const BRIDGE: AbuseRow[] = [
  ["URLs to parse", "for(;;) new URL('http://h.example/' + 'a/../'.repeat(100))", SPENT],
  ["URLs to refuse", "for(;;) try { new URL('http://[') } catch {}", SPENT],
  [
    "long URLs to parse",
    "const u = 'http://h.example/?' + 'a=b&'.repeat(1e5); for(;;) new URL(u).searchParams.get('a')",
    SPENT,
  ],
  [
    "parts of URLs to set",
    "const u = new URL('http://h.example/'); for(;;) u.pathname = 'x'.repeat(1e4)",
    SPENT,
  ],
  ["random identifiers", "for(;;) crypto.randomUUID()", SPENT],
  ["random identifiers, kept", "const a = []; for(;;) a.push(crypto.randomUUID())", SPENT],
  ["base64", "const s = 'x'.repeat(1e5); for(;;) atob(btoa(s))", SPENT],
  [
    "text to bytes and back",
    "const e = new TextEncoder(), d = new TextDecoder(), s = 'ä€𝄞'.repeat(1e4); for(;;) d.decode(e.encode(s))",
    SPENT,
  ],
  [
    "text of a host that must be copied",
    "const s = 'http://h.example/' + 'x'.repeat(8e6); for(;;) try { new URL(s) } catch {}",
    SPENT,
  ],
  ["timers, set and cleared", "for(;;) clearTimeout(setTimeout(() => {}, 1e6))", SPENT],
  [
    "timers, all there may be, again and again",
    "for(;;) { const ids = Array.from({ length: 900 }, () => setTimeout(() => {}, 1e6)); ids.forEach(clearTimeout) }",
    SPENT,
  ],
  [
    "intervals that ring all the time",
    "for (let i = 0; i < 990; i++) setInterval(() => { let x = 0; for (let j = 0; j < 1e4; j++) x += j }, 1); await new Promise(() => {})",
    SPENT,
  ],
  [
    "messages, and a cancel",
    "for(;;) clearTimeout(setTimeout(() => {}, 1e6))",
    ["aborted", "memory"],
    { cancelAfterMs: 150 },
  ],
  [
    "log lines, and a cancel",
    "for(;;) console.log('x'.repeat(500))",
    ["aborted", "memory"],
    { cancelAfterMs: 100 },
  ],
  [
    "requests, and a cancel",
    "for(;;) fetch('http://a').catch(() => {})",
    ["aborted", "memory"],
    { ...NETWORK, cancelAfterMs: 100 },
  ],
];

abuseSuite("floods", { cpuMs: 300, wallMs: 5_000, memoryMib: 32 }, { OUTPUT, EFFECTS, BRIDGE });
