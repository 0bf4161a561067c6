import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 2, blankTarget: 0 });
});
afterAll(() => pool.close());

async function resultOf(code: string, more: { network?: boolean } = {}): Promise<unknown> {
  const verdict = await runQuietly(pool, toolRun(code, more));
  return verdict.outcome === "returned" ? (JSON.parse(verdict.json) as unknown) : verdict;
}

describe("a global", () => {
  it.each([
    ["that is spelled with an escape is there all the same", "return typeof \\u0055RL", "function"],
    ["of another host is undefined by an escaped name too", "return typeof proc\\u0065ss", "undefined"],
    ["that a tool needs permission for is undefined without it", "return typeof fetch", "undefined"],
    ["can be assigned to and shadowed", "let URL = 1; console = 2; return [URL, console]", [1, 2]],
    ["that the guest was made with is gone", "return typeof guestSeed", "undefined"],
    ["that only a string names does no harm", "return ['URL', 'utils', 'fetch'].length", 3],
    ["is one object under both of its names", "return args === input", true],
    ["is not lost to a second use", "new URL('https://a/'); return new URL('https://b/').host", "b"],
  ])("%s", async (_, code, expected) => {
    expect(await resultOf(code)).toEqual(expected);
  });

  it("of the network is there with the permission", async () => {
    const code = "return [typeof fetch, typeof api.rest, typeof api.graphql]";
    expect(await resultOf(code, { network: true })).toEqual(["function", "function", "function"]);
    expect(await resultOf(code)).toEqual(["undefined", "undefined", "undefined"]);
  });

  it("of one tool is seen by another tool of the same tenant only if that names it", async () => {
    expect(await resultOf("URL.leak = 1; Array.leak = 2; return 1")).toBe(1);
    expect(await resultOf("return [typeof URL.leak, typeof Array.leak]")).toEqual(["undefined", "undefined"]);
  });
});

it("[B5] the global object is handed to nobody, not even to a getter that every object inherits", async () => {
  const code = `Object.defineProperty(Object.prototype, "seeker", { get() { return this }, configurable: true });
    try { return typeof seeker.Temporal } catch (error) { return error.name }`;
  expect(await resultOf(code)).toBe("ReferenceError");
});

it("no two runs are given the same random numbers", async () => {
  const drawn = new Set<unknown>();
  for (let i = 0; i < 10; i++) drawn.add(await resultOf("return Math.random()"));
  expect(drawn.size).toBe(10);
});

describe("time, as a tool sees it,", () => {
  it("is UTC, whatever this machine's is", async () => {
    const code = `return [new Date(0).getHours(), new Date().getTimezoneOffset(),
      Intl.DateTimeFormat().resolvedOptions().timeZone, Temporal.Now.timeZoneId()]`;
    expect(await resultOf(code)).toEqual([0, 0, "UTC", "UTC"]);
  });

  it.each([
    "Temporal.Now.instant().epochNanoseconds",
    "Temporal.Now.zonedDateTimeISO().epochNanoseconds",
    "BigInt(Temporal.Now.plainTimeISO().microsecond * 1000 + Temporal.Now.plainDateTimeISO().nanosecond)",
  ])("ticks in whole milliseconds: %s", async (clock) => {
    const code = `for (let i = 0; i < 200; i++) if (${clock} % 1000000n !== 0n) return i; return "coarse"`;
    expect(await resultOf(code)).toBe("coarse");
  });

  it("has no finer clock", async () => {
    const code = `for (let i = 0; i < 2000; i++) if (!Number.isInteger(performance.now())) return i;
      return [Number.isInteger(performance.timeOrigin), Object.isFrozen(Temporal.Now)]`;
    expect(await resultOf(code)).toEqual([true, true]);
  });

  it("is measured from the start of the run, whatever the tool makes of Date", async () => {
    const code = `Date.now = () => 5; const from = performance.now();
      await new Promise((done) => setTimeout(done, 20));
      const passed = performance.now() - from;
      const [before, at, after] = [+new Date(), performance.timeOrigin + performance.now(), +new Date()];
      return [from < 30000, passed >= 19 && passed < 30000, before - 50 < at && at < after + 50,
        JSON.stringify(performance) === JSON.stringify({ timeOrigin: performance.timeOrigin })]`;
    expect(await resultOf(code)).toEqual([true, true, true, true]);
  });
});
