import { leakCheck, until } from "@bulkhead/testing";
import { afterEach, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
afterEach(() => pool.close());

const IMPATIENT = { patienceMs: 10, computingPatienceMs: 20 };

const by = (tenantId: string, code = "return 1") => toolRun(code, { tenantId });
const pidsOf = (tenantId: string): number[] =>
  pool.stats().processes.flatMap((process) => (process.tenantId === tenantId ? [process.pid] : []));

describe("a tenant whose runs all wait for long", () => {
  it("leaves a process for who comes next, and does not end another tenant's last one", async () => {
    pool = openSandboxPool({ processesMax: 5, blankTarget: 0, asleepMs: 600_000, ...IMPATIENT });
    await runQuietly(pool, by("ten_b"));
    const kept = pidsOf("ten_b");
    const stop = new AbortController();
    const sleepers = Array.from({ length: 12 }, () =>
      pool.run(by("ten_a", "await new Promise(() => {})"), new Heard(), stop.signal),
    );
    await until(() => pool.stats().running >= 3, { what: "the sleepers have what they may have" });
    expect(await runQuietly(pool, by("ten_b"))).toMatchObject({ outcome: "returned" });
    expect(pidsOf("ten_b")).toEqual(kept);
    expect(await runQuietly(pool, by("ten_c"))).toMatchObject({ outcome: "returned" });
    expect(pidsOf("ten_a").length).toBeLessThan(5);
    stop.abort();
    await Promise.all(sleepers);
  });
});

describe("a full pool", () => {
  it("has a blank process ready for who comes next, in the place of the one that was idle longest", async () => {
    pool = openSandboxPool({ processesMax: 8, blankTarget: 1 });
    for (let tenant = 0; tenant < 8; tenant++) await runQuietly(pool, by(`ten_${tenant}`));
    await until(() => pool.stats().blank === 1, { what: "a blank one stands ready" });
    expect(pool.stats().processes).toHaveLength(8);
    expect(pidsOf("ten_0")).toEqual([]);
    const [blank] = pool.stats().processes.filter(({ tenantId }) => tenantId === null);
    expect(await runQuietly(pool, by("ten_new"))).toMatchObject({ outcome: "returned" });
    expect(pidsOf("ten_new")).toEqual([blank?.pid]);
  });

  it("leaves who calls now and then the process it has, and a blank one, beside one who wants all", async () => {
    pool = openSandboxPool({ processesMax: 8, blankTarget: 1, asleepMs: 600_000, ...IMPATIENT });
    const quiet = ["ten_a", "ten_b", "ten_c", "ten_d"];
    await Promise.all(quiet.map((tenantId) => runQuietly(pool, by(tenantId))));
    const kept = quiet.map(pidsOf);
    const stop = new AbortController();
    const flood = Array.from({ length: 12 }, () =>
      pool.run(by("ten_flood", "await new Promise(() => {})"), new Heard(), stop.signal),
    );
    await until(() => pool.stats().running === 3 && pool.stats().blank === 1, { what: "all is given out" });
    for (const tenantId of quiet) await runQuietly(pool, by(tenantId));
    expect(quiet.map(pidsOf)).toEqual(kept);
    expect(pool.stats()).toMatchObject({ running: 3, blank: 1, losses: { recycled: { room: 0, turn: 0 } } });
    stop.abort();
    await Promise.all(flood);
  });
});

describe("a tenant that kills its processes", () => {
  it("is given new ones at its pace, and another tenant at once", async () => {
    // After two, nothing more within this test.
    const lossPace = { burst: 2, perSecond: 0.000_1 };
    pool = openSandboxPool({ processesMax: 4, blankTarget: 1, lossPace });
    const spin = toolRun("for(;;);", { tenantId: "ten_a" }, { cpuMs: 10 });
    const stop = new AbortController();
    const lost = () => pool.stats().losses.killed.cpu;
    for (let deaths = 1; deaths <= 2; deaths++) {
      expect(await runQuietly(pool, { ...spin })).toMatchObject({ outcome: "cpu" });
      await until(() => lost() === deaths, { what: "its process is gone" });
    }
    const third = pool.run({ ...spin }, new Heard(), stop.signal);
    await until(() => pool.stats().blank === 1, { what: "a blank one stands ready" });
    expect(await runQuietly(pool, by("ten_b"))).toMatchObject({ outcome: "returned" });
    expect(pool.stats()).toMatchObject({ waiting: 1 });
    stop.abort();
    expect(await third).toMatchObject({ outcome: "aborted" });
    expect(lost()).toBe(2);
  });

  it("pays for those that die when their runs have ended, too", async () => {
    pool = openSandboxPool({ processesMax: 4, blankTarget: 1, lossPace: { burst: 2, perSecond: 0.000_1 } });
    for (let deaths = 1; deaths <= 2; deaths++) {
      expect(await runQuietly(pool, by("ten_a"))).toMatchObject({ outcome: "returned" });
      for (const pid of pidsOf("ten_a")) process.kill(pid, "SIGKILL");
      await until(() => pool.stats().losses.killed.crashed === deaths, { what: "its process is gone" });
    }
    const stop = new AbortController();
    const third = pool.run(by("ten_a"), new Heard(), stop.signal);
    await until(() => pool.stats().blank === 1, { what: "a blank one stands ready" });
    expect(await runQuietly(pool, by("ten_b"))).toMatchObject({ outcome: "returned" });
    expect(pool.stats()).toMatchObject({ waiting: 1 });
    stop.abort();
    expect(await third).toMatchObject({ outcome: "aborted" });
  });
});
