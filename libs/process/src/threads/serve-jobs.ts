import { parentPort } from "node:worker_threads";

/** A message of a thread: first that it is ready, then one answer for each job. */
export type FromThread<Answer> = { ready: true } | { answer: Answer };

/** Makes the module a thread's program: one job in, its answer out. An error that it throws ends the thread. */
export function serveJobs(work: (job: never) => unknown): void {
  const say = (message: FromThread<unknown>) => parentPort?.postMessage(message, []);
  parentPort?.on("message", (job: unknown) => say({ answer: work(job as never) }));
  say({ ready: true });
}
