import { readFileSync, readlinkSync } from "node:fs";
import type { EffectAnswer } from "@bulkhead/core";
import { everyNth, isNightly, leakCheck, until } from "@bulkhead/testing";
import { afterEach, describe, expect, it } from "vitest";
import type { SandboxPoolOptions } from "./options.ts";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, isAlive, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
const pools: SandboxPool[] = [];
const open = (options: SandboxPoolOptions = {}): SandboxPool => {
  const pool = openSandboxPool({ processesMax: 3, blankTarget: 0, ...options });
  pools.push(pool);
  return pool;
};
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const pidsOf = (pool: SandboxPool, tenantId: string): number[] =>
  pool.stats().processes.flatMap((process) => (process.tenantId === tenantId ? [process.pid] : []));
const by = (tenantId: string, code = "return 1") => toolRun(code, { tenantId });

describe("a pool", () => {
  it("[B1] never gives two tenants one process", async () => {
    const pool = open();
    for (const tenant of ["ten_a", "ten_b", "ten_a"]) await runQuietly(pool, by(tenant));
    const [a, b] = [pidsOf(pool, "ten_a"), pidsOf(pool, "ten_b")];
    expect([a.length, b.length]).toEqual([1, 1]);
    expect(a).not.toEqual(b);
  });

  it("shows a run nothing of the one before in the same process", async () => {
    const pool = open();
    const key = { isolateKey: "same" };
    const probe = `const seen = [typeof leaked, Object.prototype.tainted ?? null, [].map === 1, typeof JSON, Math.PI.toFixed(2), args.b ?? null];
      Object.prototype.tainted = 1; Array.prototype.map = 1; JSON = null; args.b = 1; Math.x = 1;
      Promise.prototype.then = null; setTimeout(() => { console.log("late") }, args.lateMs);
      return seen`;
    const run = (lateMs: number) => toolRun(probe, { ...key, argumentsJson: JSON.stringify({ lateMs }) });
    const first = await runQuietly(pool, run(1));
    const heard = new Heard();
    // Its own timer must not end before it does, however slow the machine is.
    const second = await pool.run(run(60_000), heard, new AbortController().signal);
    const json = '["undefined",null,false,"object","3.14",null]';
    expect([first, second]).toMatchObject([
      { outcome: "returned", json },
      { outcome: "returned", json },
    ]);
    expect(heard.said).toEqual(["started"]);
    expect(pool.stats().started).toBe(1);
  });

  it("runs one execution at a time in a process, and more processes when runs are long", async () => {
    const pool = open({ processesMax: 2 });
    const gate = Promise.withResolvers<EffectAnswer>();
    const hooks = Object.assign(new Heard(), { onEffect: () => gate.promise });
    const ended = [1, 2, 3].map(() =>
      pool.run(toolRun("await utils.callTool('gate'); return 1"), hooks, new AbortController().signal),
    );
    await until(() => pool.stats().running === 2, { what: "two processes are busy" });
    expect(pool.stats().waiting).toBe(1);
    gate.resolve({ ok: true, head: "{}", body: "1", bodyEncoding: "utf8" });
    const verdicts = await Promise.all(ended);
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(["returned", "returned", "returned"]);
    expect(pidsOf(pool, "ten_a")).toHaveLength(2);
    expect(pool.stats().started).toBe(2);
  });

  it("lets the process leave that was idle longest, when there is no room", async () => {
    const pool = open({ processesMax: 2 });
    await runQuietly(pool, by("ten_a"));
    await runQuietly(pool, by("ten_b"));
    await runQuietly(pool, by("ten_a"));
    const [kept] = pidsOf(pool, "ten_a");
    const verdict = await runQuietly(pool, by("ten_c"));
    expect(verdict).toMatchObject({ outcome: "returned" });
    expect(verdict.usage.bindMs).toBeGreaterThan(1);
    expect(pidsOf(pool, "ten_b")).toEqual([]);
    expect(pidsOf(pool, "ten_a")).toEqual([kept]);
    expect(pool.stats().processes).toHaveLength(2);
  });

  it("serves a tenant that waits, though another keeps every process busy", async () => {
    const pool = open({ processesMax: 1, turnMs: 50 });
    const busy = new AbortController();
    const occupy = async (): Promise<void> => {
      while (!busy.signal.aborted)
        expect(
          await runQuietly(pool, by("ten_a", "await new Promise((r) => setTimeout(r, 5))")),
        ).toMatchObject({ outcome: "returned" });
    };
    const occupied = [occupy(), occupy(), occupy()];
    await until(() => pool.stats().waiting > 0, { what: "tenant a keeps the process busy" });
    expect(await runQuietly(pool, by("ten_b"))).toMatchObject({ outcome: "returned" });
    busy.abort();
    await Promise.all(occupied);
  });

  it("replaces a process after its number of runs", async () => {
    const pool = open({ runsMax: 2 });
    const pids = new Set<number>();
    for (let i = 0; i < 4; i++) {
      const run = runQuietly(pool, by("ten_a"));
      await until(() => pidsOf(pool, "ten_a").length > 0, { what: "a process is bound" });
      for (const pid of pidsOf(pool, "ten_a")) pids.add(pid);
      await run;
    }
    expect(pids.size).toBeGreaterThanOrEqual(2);
    expect(pool.stats().started).toBeGreaterThanOrEqual(2);
  });

  it("lets a process go that nobody uses", async () => {
    const pool = open({ idleMsMax: 10 });
    await runQuietly(pool, by("ten_a"));
    await until(() => pidsOf(pool, "ten_a").length === 0, { what: "the idle process is gone" });
  });

  it.runIf(isNightly)("replaces a process that was killed from outside", async () => {
    const pool = open();
    await runQuietly(pool, by("ten_a"));
    const [pid] = pidsOf(pool, "ten_a");
    process.kill(pid ?? 0, "SIGKILL");
    await until(() => pidsOf(pool, "ten_a").length === 0, { what: "the pool has noticed" });
    expect(await runQuietly(pool, by("ten_a"))).toMatchObject({ outcome: "returned" });
  });

  it.skipIf(process.platform !== "linux")(
    "gives its processes no environment and no folder of its own",
    async () => {
      const pool = open({ blankTarget: 1 });
      await until(() => pool.stats().blank === 1, { what: "one process is ready" });
      const pid = pool.stats().processes[0]?.pid ?? 0;
      expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toBe("");
      expect(readlinkSync(`/proc/${pid}/cwd`)).toBe("/");
      expect(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")).toContain("--permission");
    },
  );

  it("keeps blank processes ready, so that a new tenant does not wait for a start", async () => {
    const pool = open({ blankTarget: 1 });
    await until(() => pool.stats().blank === 1, { what: "one process is ready" });
    const [blank] = pool.stats().processes;
    await runQuietly(pool, by("ten_a"));
    expect(pidsOf(pool, "ten_a")).toEqual([blank?.pid]);
    await until(() => pool.stats().blank === 1, { what: "another one is ready" });
  });
});

describe("a run that is stopped", () => {
  it.each(everyNth(["for(;;){}", "for(;;) await null", "await new Promise(() => {})"], 2))(
    "while it does %s is aborted and its process is dead",
    async (code) => {
      const pool = open();
      const stop = new AbortController();
      const heard = new Heard();
      const ended = pool.run(toolRun(`console.log("on"); ${code}`), heard, stop.signal);
      await until(() => heard.said.includes("info: on"), { what: "the tool runs" });
      const [pid] = pidsOf(pool, "ten_a");
      stop.abort();
      expect(await ended).toMatchObject({ outcome: "aborted" });
      expect(isAlive(pid ?? 0)).toBe(false);
    },
  );

  it("gives up the requests that are under way", async () => {
    const pool = open();
    const stop = new AbortController();
    const signals: AbortSignal[] = [];
    const heard = new Heard();
    const hooks = Object.assign(Object.create(heard) as Heard, {
      onStarted: () => undefined,
      onEffect: (_: unknown, signal: AbortSignal) => {
        signals.push(signal);
        return new Promise<never>(() => {});
      },
    });
    const ended = pool.run(
      toolRun("await fetch('https://a.example')", { network: true }),
      hooks,
      stop.signal,
    );
    await until(() => signals.length === 1, { what: "the request is under way" });
    stop.abort();
    await ended;
    expect(signals[0]?.aborted).toBe(true);
  });

  it("before it began, or while it waits in line, never begins", async () => {
    const pool = open({ processesMax: 1 });
    const heard = new Heard();
    expect(await pool.run(toolRun("return 1"), heard, AbortSignal.abort())).toMatchObject({
      outcome: "aborted",
    });
    const stop = new AbortController();
    const first = pool.run(toolRun("await new Promise(() => {})"), new Heard(), stop.signal);
    const stopWaiting = new AbortController();
    const waiting = pool.run(toolRun("return 1"), heard, stopWaiting.signal);
    stopWaiting.abort();
    expect(await waiting).toMatchObject({ outcome: "aborted", usage: { cpuMs: 0 } });
    expect(heard.said).toEqual([]);
    stop.abort();
    await first;
  });
});

describe("a pool that is closed", () => {
  it("leaves no process, aborts what runs and refuses what comes", async () => {
    const pool = open({ blankTarget: 1 });
    const heard = new Heard();
    const running = pool.run(toolRun("console.log('on'); for(;;){}"), heard, new AbortController().signal);
    await until(() => heard.said.includes("info: on"), { what: "the tool runs" });
    const pids = pool.stats().processes.map(({ pid }) => pid);
    await Promise.all([pool.close(), pool.close()]);
    expect(await running).toMatchObject({ outcome: "aborted" });
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await runQuietly(pool, toolRun("return 1"))).toMatchObject({ outcome: "aborted" });
    expect(pool.stats().processes).toEqual([]);
  });
});
