import { isNightly } from "@bulkhead/testing";
import { afterEach, describe, expect, test } from "vitest";
import { ThreadPool, type ThreadPoolOptions } from "./thread-pool.ts";

type Job = number | "computes" | "holds";

/** A job that only waits has eight times as long: a machine may stop this process for seconds. */
const MS_MAX = 500;
const serveJobs = JSON.stringify(new URL("./serve-jobs.ts", import.meta.url).href);
/** Waits for so many milliseconds without a processor, computes for ever, or holds its thread until that is ended. */
const PROGRAM = `import { serveJobs } from ${serveJobs};
  const never = new Int32Array(new SharedArrayBuffer(4));
  serveJobs((job) => {
    if (job === "computes") for (;;);
    return Atomics.wait(never, 0, 0, job === "holds" ? Infinity : job);
  });`;

const ANSWERED = { outcome: "answered", answer: "timed-out" };
const UNAVAILABLE = { outcome: "unavailable" };

const pools: ThreadPool<Job, string>[] = [];
function openPool(options: Partial<ThreadPoolOptions<Job>> = {}): ThreadPool<Job, string> {
  const pool = new ThreadPool<Job, string>({
    program: { entry: new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`), heapMibMax: 64 },
    threadsMax: 1,
    queueMax: { ofTenant: 10, ofAll: 20 },
    waitMsMax: 60_000,
    msMaxFor: (job) => (job === "holds" ? 3_600_000 : MS_MAX),
    ...options,
  });
  pools.push(pool);
  return pool;
}
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

test("a job's time is its processor's, within bounds: who has to wait for one is not held for hostile", async () => {
  const pool = openPool();
  expect(await pool.run("a", MS_MAX * 1.05)).toEqual(ANSWERED);
  expect(await pool.run("a", "computes")).toEqual({ outcome: "overran" });
  expect(await pool.run("a", MS_MAX * 60)).toEqual({ outcome: "overran" });
  expect(await pool.run("a", 1)).toEqual(ANSWERED);
});

describe("tenants share the threads", () => {
  test("who is at work in one leaves one to the others", async () => {
    const pool = openPool({ threadsMax: 2 });
    const held = [1, 2, 3].map(() => pool.run("heavy", "holds"));
    for (let jobs = 0; jobs < 3; jobs += 1) expect(await pool.run("light", 1)).toEqual(ANSWERED);
    await pool.close();
    expect(await Promise.all(held)).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
  });

  test.runIf(isNightly)("those who have used much of them leave one together", async () => {
    const pool = openPool({ threadsMax: 2 });
    for (const tenantId of ["heavy 1", "heavy 1", "heavy 2", "heavy 2"]) await pool.run(tenantId, "computes");
    const held = ["heavy 1", "heavy 2"].map((tenantId) => pool.run(tenantId, "holds"));
    expect(await pool.run("light", 1)).toEqual(ANSWERED);
    await pool.close();
    await Promise.all(held);
  });

  test("who has used much takes a thread that nobody else wants", async () => {
    const pool = openPool({ threadsMax: 2 });
    for (let overruns = 0; overruns < 2; overruns += 1) await pool.run("heavy", "computes");
    const held = pool.run("light", "holds");
    expect(await pool.run("heavy", 1)).toEqual(ANSWERED);
    await pool.close();
    await held;
  });

  test("the next job is of who has used least lately, however many another has waiting", async () => {
    const pool = openPool();
    const order: string[] = [];
    const run = (tenantId: string) => pool.run(tenantId, 5).then(() => void order.push(tenantId));
    await run("flood");
    await Promise.all([...Array.from({ length: 10 }, () => run("flood")), run("quiet"), run("other")]);
    expect(
      order
        .slice(0, 4)
        .filter((tenantId) => tenantId !== "flood")
        .toSorted(),
    ).toEqual(["other", "quiet"]);
  });
});

describe("waiting is bounded", () => {
  test("in time, whoever has the threads", async () => {
    const pool = openPool({ waitMsMax: 2_000 });
    await pool.run("a", 1);
    const held = pool.run("a", "holds");
    expect(await Promise.all([pool.run("a", 1), pool.run("b", 1)])).toEqual([UNAVAILABLE, UNAVAILABLE]);
    await pool.close();
    await held;
  });

  test("for each tenant", async () => {
    const pool = openPool();
    const waiting = Array.from({ length: 11 }, () => pool.run("a", "holds"));
    expect(await Promise.race(waiting)).toEqual(UNAVAILABLE);
    const other = pool.run("b", 1);
    await pool.close();
    expect(await Promise.all([...waiting, other])).toEqual(Array.from({ length: 12 }, () => UNAVAILABLE));
  });

  test("for all: the last one of the tenant with most of them goes, unless that would be the new one itself", async () => {
    const pool = openPool({ queueMax: { ofTenant: 10, ofAll: 4 } });
    const told: string[] = [];
    const run = (name: string) => pool.run(name[0]!, "holds").then(() => void told.push(name));
    const runs = ["a1", "a2", "a3", "b1", "c1", "a4"].map(run);
    await Promise.all([runs[2], runs[5]]);
    expect(told).toEqual(["a3", "a4"]);
    await pool.close();
    await Promise.all(runs);
  });
});
