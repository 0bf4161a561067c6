import { serveJobs } from "@bulkhead/process";
import { setPriority } from "node:os";
import { coverDocument, type DocumentJob } from "./cover-document.ts";
import { shareMeans } from "./open-means.ts";

/** Large documents yield to the worker's other threads, but not to tools, which are five nicer: a run waits for this. */
const NICENESS = 3;

// On Linux a thread has a priority of its own, elsewhere it is the process's.
if (process.platform === "linux") setPriority(NICENESS);
const shared = shareMeans();
serveJobs((job: DocumentJob) => coverDocument(shared, job));
