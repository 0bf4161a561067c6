import { afterEach, expect, test } from "vitest";
import { ThreadPool } from "./thread-pool.ts";

/** A job that only waits has eight times as long: a machine may stop this process for seconds. */
const MS_MAX = 500;
const serveJobs = JSON.stringify(new URL("./serve-jobs.ts", import.meta.url).href);
/** Waits for so many milliseconds without a processor, or computes for ever. */
const PROGRAM = `import { serveJobs } from ${serveJobs};
  const never = new Int32Array(new SharedArrayBuffer(4));
  serveJobs((job) => {
    if (job === "computes") for (;;);
    return Atomics.wait(never, 0, 0, job);
  });`;

const pool = new ThreadPool<number | "computes", string>({
  program: { entry: new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`), heapMibMax: 64 },
  threadsMax: 1,
  queueMax: 10,
  waitMsMax: 60_000,
  msMaxFor: () => MS_MAX,
});
afterEach(() => pool.close());

test("a job's time is its processor's, within bounds: who has to wait for one is not held for hostile", async () => {
  expect(await pool.run(MS_MAX * 1.05)).toEqual({ outcome: "answered", answer: "timed-out" });
  expect(await pool.run("computes")).toEqual({ outcome: "overran" });
  expect(await pool.run(MS_MAX * 60)).toEqual({ outcome: "overran" });
  expect(await pool.run(1)).toEqual({ outcome: "answered", answer: "timed-out" });
});
