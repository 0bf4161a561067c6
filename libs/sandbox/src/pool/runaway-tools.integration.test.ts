import type { RunLimits } from "@bulkhead/core";
import { everyNth, leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { ANY_PACE, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 3, blankTarget: 2, ...ANY_PACE });
});
afterAll(() => pool.close());

type Case = [name: string, code: string, limits: Partial<RunLimits>, outcomes: string];
/** The wall clock is out of reach, also where the machine gives a tool little of its time. */
const SHORT_CPU = { cpuMs: 100, wallMs: 60_000 };
const SHORT_WALL = { cpuMs: 20_000, wallMs: 100 };
/** For what ends by something else than time. */
const AMPLE = { cpuMs: 20_000, wallMs: 60_000 };
const SMALL = { memoryMib: 32, ...AMPLE };

const RUNAWAYS: Case[] = [
  ["spins, with little processor time", "for(;;){}", SHORT_CPU, "cpu"],
  ["spins, with little time", "for(;;){}", SHORT_WALL, "wall"],
  ["backtracks for ever", "return /^(a+)+$/.test('a'.repeat(40) + '!')", SHORT_CPU, "cpu"],
  ["yields for ever", "for(;;) await null", SHORT_CPU, "cpu"],
  ["returns but goes on for ever", "(async () => { for(;;) await null })(); return 1", SHORT_CPU, "cpu"],
  ["spins in a timer", "setTimeout(() => { for(;;){} }, 0); await new Promise(() => {})", SHORT_CPU, "cpu"],
  ["spins while its result is read", "return { toJSON() { for(;;){} } }", SHORT_CPU, "cpu"],
  ["never settles", "await new Promise(() => {})", SHORT_WALL, "wall"],
  ["asks the host for ever", "for(;;) new URL('http://a.example')", SHORT_CPU, "cpu"],
  ["asks the worker for ever", "for(;;) { try { await fetch('http://a') } catch {} }", SHORT_CPU, "cpu"],
  ["asks without waiting", "for(;;) fetch('http://a').catch(() => {})", SHORT_CPU, "cpu"],
  ["logs for ever", "for(;;) console.log('x')", SHORT_CPU, "cpu"],
  ["sets timers for ever", "for(;;) setTimeout(() => {}, 0)", AMPLE, "threw"],
  ["recurses for ever", "const f = () => f(); f()", AMPLE, "threw"],
  ["grows arrays", "const a = []; for(;;) a.push(new Array(1000).fill(1.1))", SMALL, "memory"],
  ["grows strings", "const a = []; for(let i = 0;; i++) a.push('x'.repeat(1e5) + i)", SMALL, "memory"],
  ["grows a map", "const m = new Map(); for(let i = 0;; i++) m.set(i, { i })", SMALL, "memory"],
  ["grows buffers", "const a = []; for(;;) a.push(new Uint8Array(1e6).fill(1))", SMALL, "memory"],
  ["fills a huge array", "const x = {}; return new Array(2**27).fill(x).length", SMALL, "memory"],
  ["parses a huge text", "return JSON.parse('[' + '1,'.repeat(2e7) + '1]').length", SMALL, "memory"],
  ["prints a huge number", "return (2n ** 50000000n).toString().length", SHORT_CPU, "cpu"],
  ["returns 50 MB", "return 'x'.repeat(5e7)", AMPLE, "result_too_large"],
  ["returns a rope of 512 M characters", "return ''.padStart(2**29 - 24)", AMPLE, "result_too_large"],
  ["returns such a rope in a field", "return { a: ''.padStart(2**29 - 24) }", AMPLE, "result_too_large"],
  ["returns one byte too many", "return 'ä'.repeat(31) + 'x'", { resultBytes: 64 }, "result_too_large"],
  ["throws such a rope", "throw new Error(''.padStart(2**29 - 24))", AMPLE, "threw"],
];

describe("a tool that", () => {
  it.each(everyNth(RUNAWAYS, 5))("%s ends with the limit it met", async (_, code, limits, outcome) => {
    const verdict = await runQuietly(pool, toolRun(code, { network: true }, limits));
    expect(verdict).toMatchObject({ outcome });
    expect(verdict.usage.wallMs).toBeGreaterThan(0);
  });

  it("met a limit leaves a sandbox that still works", async () => {
    await runQuietly(pool, toolRun("for(;;){}", {}, SHORT_CPU));
    expect(await runQuietly(pool, toolRun("return 1"))).toMatchObject({ outcome: "returned", json: "1" });
  });

  it("returns exactly what it may returns it", async () => {
    const run = toolRun("return 'ä'.repeat(31)", {}, { resultBytes: 64 });
    expect(await runQuietly(pool, run)).toMatchObject({ outcome: "returned" });
  });
});
