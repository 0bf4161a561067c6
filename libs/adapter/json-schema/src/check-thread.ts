import { parentPort } from "node:worker_threads";
import { THREAD_COMPILED_MAX } from "./bounds.ts";
import { type CheckJob, JobChecker } from "./check-job.ts";

// The program of a thread: one job in, its faults out. It is ended from outside when it takes too long.
const checker = new JobChecker(THREAD_COMPILED_MAX);
parentPort?.on("message", (job: CheckJob) => {
  parentPort?.postMessage({ faults: checker.check(job) }, []);
});
parentPort?.postMessage({ ready: true }, []);
