import { serveJobs } from "@bulkhead/process";
import { setPriority } from "node:os";
import { packEntries, type PackJob } from "./pack-log.ts";

/** Nobody waits for it. On Linux a thread has a priority of its own, elsewhere it is the process's. */
const NICENESS = 10;

if (process.platform === "linux") setPriority(NICENESS);
serveJobs(({ entries, how }: PackJob) => packEntries(entries, how));
