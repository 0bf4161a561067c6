import type { RunLimits, SandboxVerdict } from "@bulkhead/core";
import { openSandboxPool, type SandboxPool } from "@bulkhead/sandbox";
import { everyNth, leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Listener, NEVER, toolRun } from "./support/tool-run.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  // Nothing but a fault replaces a process between two runs.
  pool = openSandboxPool({ processesMax: 3, blankTarget: 1, rssMibMax: 1_024 });
});
afterAll(() => pool.close());

/** Every third by day. One tool, run twice in the same process and isolate: what the first run leaves, and what the second looks for. */
type Leftover = [what: string, leave: string, look: string, found: unknown];

const LEFTOVERS: Leftover[] = [
  [
    "a property of a prototype",
    "Object.prototype.left = Array.prototype.left = 1; return 1",
    "return [({}).left ?? 0, [].left ?? 0]",
    [0, 0],
  ],
  [
    "a changed method",
    "JSON.stringify = () => '\"left\"'; Array.prototype.map = () => 'left'; return 1",
    "return [1].map((x) => x)",
    [1],
  ],
  [
    "a changed global",
    "console.log = () => {}; Promise = 1; URL = 2; return 1",
    "return [typeof Promise, typeof URL, typeof console.log]",
    ["function", "function", "function"],
  ],
  ["a changed argument", "args.left = 1; context.tenantId; return 1", "return args.left ?? 0", 0],
  [
    "a registered symbol's property",
    "Object.prototype[Symbol.for('left')] = 1; return 1",
    "return ({})[Symbol.for('left')] ?? 0",
    0,
  ],
  [
    "a description of a registered symbol",
    "Symbol.for('left').left = 1; return 1",
    "return Symbol.for('left').left ?? 0",
    0,
  ],
  [
    "the statics of regular expressions",
    "/(secret)/.exec('a secret'); return 1",
    "return [RegExp.$1, RegExp.lastMatch, RegExp.input, RegExp['$`']]",
    ["", "", "", ""],
  ],
  [
    "the last index of a literal",
    "const r = /a/g; r.test('aa'); return r.lastIndex",
    "const r = /a/g; return r.lastIndex",
    0,
  ],
  [
    "a tagged template's strings",
    "const t = (s) => s; const s = t`a`; try { s.left = 1 } catch {} return 1",
    "const t = (s) => s; return t`a`.left ?? 0",
    0,
  ],
  [
    "the limit of stack traces",
    "Error.stackTraceLimit = 0; Error.prepareStackTrace = () => 'left'; return 1",
    "return [Error.stackTraceLimit, typeof Error.prepareStackTrace]",
    [10, "undefined"],
  ],
  [
    "a timer",
    "setInterval(() => console.log('ghost'), 1); setTimeout(() => console.log('ghost'), 5); return 1",
    "await new Promise((r) => setTimeout(r, 40)); return 1",
    1,
  ],
  [
    "a microtask that waits",
    "const p = new Promise((r) => setTimeout(r, 5)); p.then(() => console.log('ghost')); return 1",
    "await new Promise((r) => setTimeout(r, 40)); return 1",
    1,
  ],
  [
    "a request that is never answered",
    "fetch('http://never').then(() => console.log('ghost'), () => console.log('ghost')); return 1",
    "await new Promise((r) => setTimeout(r, 40)); return 1",
    1,
  ],
  [
    "a request that is answered late",
    "fetch('http://late').then(() => console.log('ghost'), () => console.log('ghost')); return 1",
    "await new Promise((r) => setTimeout(r, 60)); return 1",
    1,
  ],
  [
    "a rejection that nobody caught",
    "setTimeout(() => Promise.reject(new Error('ghost')), 5); return 1",
    "await new Promise((r) => setTimeout(r, 40)); return 1",
    1,
  ],
  [
    "the log limit, used up",
    "for (let i = 0; i < 1e5; i++) console.log('0123456789'); return 1",
    "console.log('mine'); return 1",
    1,
  ],
  [
    "a limit of timers, used up",
    "try { for(;;) setTimeout(() => {}, 1e6) } catch {} return 1",
    "for (let i = 0; i < 900; i++) setTimeout(() => {}, 1e6); return 1",
    1,
  ],
  [
    "a weak reference",
    "const o = { left: 1 }; Math.left = new WeakRef(o); return 1",
    "return typeof Math.left",
    "undefined",
  ],
  [
    "the default time zone and locale",
    "try { Intl.DateTimeFormat = 1 } catch {} return 1",
    "return typeof Intl.DateTimeFormat",
    "function",
  ],
  [
    "memory",
    "const a = []; for (let i = 0; i < 1e6; i++) a.push(i + 0.5); return a.length",
    "const a = []; for (let i = 0; i < 1e6; i++) a.push(i + 0.5); return a.length",
    1_000_000,
  ],
  [
    "an error that it threw",
    "Error.left = new Error('secret'); throw Error.left",
    "return typeof Error.left",
    "undefined",
  ],
  [
    "a changed prototype of promises",
    "const P = Object.getPrototypeOf((async () => 1)()); P.then = (f) => f('left'); return 1",
    "return await (async () => 'mine')()",
    "mine",
  ],
  [
    "a frozen world",
    "Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.preventExtensions(Math); return 1",
    "Object.prototype.mine = 1; const { mine } = {}; delete Object.prototype.mine; return mine",
    1,
  ],
];

const BOTH = (leave: string, look: string): string => `if (args.first) { ${leave} }\n{ ${look} }`;

async function answer(effect: { kind?: string } | object): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, JSON.stringify(effect).includes("late") ? 30 : 200));
  return { ok: false, code: "failed", message: "late" } as never;
}

describe("the next run of the same tool in the same isolate", () => {
  it.each(everyNth(LEFTOVERS, 3))("[B2] finds nothing of %s", async (_, leave, look, found) => {
    const tenantId = "ten_leftovers";
    const limits: Partial<RunLimits> = { cpuMs: 20_000, wallMs: 60_000, memoryMib: 50 };
    const code = BOTH(leave, look);
    const runOnce = async (
      first: boolean,
    ): Promise<{ verdict: SandboxVerdict; said: string[]; pid: number }> => {
      const heard = new Listener(answer);
      const argumentsJson = JSON.stringify({ first });
      const verdict = await pool.run(
        toolRun({ code, tenantId, network: true, argumentsJson, limits }),
        heard,
        NEVER,
      );
      const pid = pool.stats().processes.find((process) => process.tenantId === tenantId)?.pid ?? -1;
      return { verdict, said: heard.said, pid };
    };
    const left = await runOnce(true);
    const looked = await runOnce(false);
    expect(looked.pid, "the same process").toBe(left.pid);
    expect(looked.verdict).toMatchObject({ outcome: "returned", json: JSON.stringify(found) });
    expect(looked.said.join("\n")).not.toContain("ghost");
    expect(looked.said).toEqual(look.includes("console.log('mine')") ? ["info: mine"] : []);
  });
});

describe("ids and keys that are names of prototypes", () => {
  it.each(everyNth(["__proto__", "constructor", "toString", "hasOwnProperty", "x".repeat(2_000)], 2))(
    "as tenant, isolate and arguments: %s",
    async (name) => {
      for (const memoryMib of [50, 40]) {
        const run = toolRun({
          code: "return Object.keys(args)",
          tenantId: name,
          isolateKey: name,
          argumentsJson: `{${JSON.stringify(name)}:1}`,
          limits: { memoryMib },
        });
        expect(await pool.run(run, new Listener(), NEVER)).toMatchObject({
          outcome: "returned",
          json: JSON.stringify([name]),
        });
      }
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    },
  );
});

it("tools of one tenant that run in turns in one process see nothing of each other", async () => {
  const tenantId = "ten_turns";
  for (let turn = 0; turn < 12; turn += 1) {
    const code = `const seen = Object.prototype.left ?? null; Object.prototype.left = ${turn}; return [seen, args.turn]`;
    const run = toolRun({
      code,
      tenantId,
      isolateKey: `tool ${turn % 6}`,
      argumentsJson: JSON.stringify({ turn }),
    });
    expect(await pool.run(run, new Listener(), NEVER)).toMatchObject({ json: JSON.stringify([null, turn]) });
  }
});

it("what one tool leaves in its isolate is the memory of no other, however many there are", async () => {
  const tenantId = "ten_heaps";
  const keeps = "for (let i = 0; i < 30; i++) Symbol.for(i + 'x'.repeat(1 << 20)); return 1";
  // More than a process has isolates.
  const small = Array.from({ length: 6 }, (_, n) => `return ${n}`);
  const peaks: number[] = [];
  for (const code of [keeps, ...small]) {
    const verdict = await pool.run(toolRun({ code, tenantId }), new Listener(), NEVER);
    expect(verdict).toMatchObject({ outcome: "returned" });
    peaks.push(verdict.usage.memoryPeakMib);
  }
  expect(peaks[0]).toBeGreaterThan(25);
  for (const peak of peaks.slice(1)) expect(peak).toBeLessThan(15);
});
