import type { EffectAnswer, SandboxVerdict } from "@bulkhead/core";
import { isNightly, leakCheck, until } from "@bulkhead/testing";
import { afterEach, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
afterEach(() => pool.close());

const DEPTH_MAX = isNightly ? 5 : 3;
const CALLS = "return (await utils.callTool('next')) + 1";
const NEVER = new AbortController().signal;

/** A run whose call is another run, one deeper, down to the deepest. */
function runChain(tenantId: string, depth: number, seen: () => void): Promise<SandboxVerdict> {
  const code = depth === DEPTH_MAX ? "return 1" : CALLS;
  const hooks = Object.assign(Object.create(new Heard()) as Heard, {
    onStarted: seen,
    onLog: () => undefined,
    onEffect: async (): Promise<EffectAnswer> => {
      const inner = await runChain(tenantId, depth + 1, seen);
      const body = inner.outcome === "returned" ? inner.json : "null";
      return { ok: true, head: "{}", body, bodyEncoding: "utf8" };
    },
  });
  return pool.run(toolRun(code, { tenantId, depth }), hooks, NEVER);
}

describe("runs that wait for what they call", () => {
  it("come to their end although they hold every process, and exceed the cap by one for each level at most", async () => {
    const processesMax = 2;
    pool = openSandboxPool({ processesMax, blankTarget: 0 });
    let most = 0;
    const look = (): void => {
      most = Math.max(most, pool.stats().processes.length);
    };
    const tenants = ["ten_a", "ten_b", ...(isNightly ? ["ten_a"] : [])];
    const verdicts = await Promise.all(tenants.map((tenant) => runChain(tenant, 1, look)));
    expect(verdicts).toMatchObject(tenants.map(() => ({ outcome: "returned", json: String(DEPTH_MAX) })));
    expect(most).toBeLessThanOrEqual(processesMax + DEPTH_MAX - 1);
    await until(() => pool.stats().processes.length <= processesMax, { what: "the reserve is given back" });
  });

  it("don't let runs that nobody waits for into the reserve", async () => {
    pool = openSandboxPool({ processesMax: 1, blankTarget: 0 });
    const stop = new AbortController();
    const held = pool.run(toolRun("await new Promise(() => {})"), new Heard(), stop.signal);
    await until(() => pool.stats().running === 1, { what: "the only process is taken" });
    const plain = runQuietly(pool, toolRun("return 'plain'", { tenantId: "ten_b" }));
    const nested = await runQuietly(pool, toolRun("return 'nested'", { depth: 2 }));
    expect(nested).toMatchObject({ outcome: "returned", json: '"nested"' });
    expect(pool.stats()).toMatchObject({ running: 1, waiting: 1 });
    stop.abort();
    await held;
    expect(await plain).toMatchObject({ outcome: "returned" });
  });
});

describe("a run that shall be alone", () => {
  it("has a process that ran nothing before and runs nothing after", async () => {
    pool = openSandboxPool({ processesMax: 3, blankTarget: 0 });
    expect(await runQuietly(pool, toolRun("return 1"))).toMatchObject({ process: "fresh" });
    expect(await runQuietly(pool, toolRun("return 1"))).toMatchObject({ process: "used" });
    const before = pool.stats().started;
    expect(await runQuietly(pool, toolRun("return 1", { alone: true }))).toMatchObject({
      outcome: "returned",
      process: "own",
    });
    expect(pool.stats().started).toBe(before + 1);
    await until(() => pool.stats().processes.length === 1, { what: "its process is gone" });
  });
});

describe("listTools", () => {
  it("holds the tool, not its process, until the worker answers, and a limit ends it meanwhile", async () => {
    pool = openSandboxPool({ processesMax: 2, blankTarget: 0 });
    const list = (): EffectAnswer => ({ ok: true, head: "{}", body: '[{"name":"a"}]', bodyEncoding: "utf8" });
    const code =
      "const [tool] = utils.listTools(); console.log(tool.name); return utils.listTools() !== utils.listTools()";
    const heard = new Heard(list);
    expect(await pool.run(toolRun(code), heard, NEVER)).toMatchObject({ outcome: "returned", json: "true" });
    expect(heard.said).toEqual(["started", "list_tools", "info: a"]);
    const silent = Object.assign(Object.create(new Heard()) as Heard, {
      onStarted: () => undefined,
      onEffect: () => new Promise<never>(() => {}),
    });
    const blocked = toolRun("return utils.listTools()", {}, { wallMs: 200 });
    expect(await pool.run(blocked, silent, NEVER)).toMatchObject({ outcome: "wall" });
  });

  it("works in a tool that comes after others, of its own key, which did not name it", async () => {
    pool = openSandboxPool({ processesMax: 1, blankTarget: 0 });
    const list = (): EffectAnswer => ({ ok: true, head: "{}", body: '[{"name":"a"}]', bodyEncoding: "utf8" });
    for (const code of ["return 1", "return 2", "return utils.listTools().length", "return 4"]) {
      const run = toolRun(code, { isolateKey: "one key" });
      expect(await pool.run(run, new Heard(list), NEVER)).toMatchObject({
        json: code.replace("utils.listTools().length", "1").slice("return ".length),
      });
    }
  });

  it("throws what it was refused with, and shows the tool no way to the worker", async () => {
    pool = openSandboxPool({ processesMax: 2, blankTarget: 0 });
    const refuse = (): EffectAnswer => ({ ok: false, code: "failed", message: "not now" });
    const code =
      "try { utils.listTools() } catch (e) { return [e.code, e.message, /applySync|Reference/.test(e.stack)] }";
    expect(await pool.run(toolRun(code), new Heard(refuse), NEVER)).toMatchObject({
      json: '["failed","not now",false]',
    });
  });
});
