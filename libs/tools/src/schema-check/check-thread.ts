import { serveJobs } from "@bulkhead/process";
import { THREAD_COMPILED_MAX } from "./bounds.ts";
import { type CheckJob, JobChecker } from "./check-job.ts";

// The program of a thread: one job in, its faults out. It is ended from outside when it takes too long.
const checker = new JobChecker(THREAD_COMPILED_MAX);
serveJobs((job: CheckJob) => checker.check(job));
