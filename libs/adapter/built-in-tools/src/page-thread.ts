import { parentPort } from "node:worker_threads";
import { readPage, type PageJob } from "./read-page.ts";

// The program of a thread: one page in, what is readable of it out. It is ended from outside when it takes too long.
parentPort?.on("message", (job: PageJob) => {
  parentPort?.postMessage({ page: readPage(job) }, []);
});
parentPort?.postMessage({ ready: true }, []);
