import { serveJobs } from "@bulkhead/process";
import { THREAD_COMPILED_MAX } from "./bounds.ts";
import { type CheckJob, JobChecker } from "./check-job.ts";
import { inspectSchema } from "./inspect-schema.ts";

// The program of a thread: one job in, its faults out. It is ended from outside when it takes too long.
const checker = new JobChecker(THREAD_COMPILED_MAX);

// The first check of all compiles the draft's own schema, 0.18 s of processor time, which would count as the first job's.
const schema = { type: "object", properties: { a: { type: "string", pattern: "^a$" } } };
checker.check({
  kind: "schema",
  place: "parameters",
  schema,
  inspection: inspectSchema(schema, "parameters"),
});

serveJobs((job: CheckJob) => checker.check(job));
