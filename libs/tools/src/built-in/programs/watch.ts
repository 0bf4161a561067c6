import { parentPort, Worker, workerData } from "node:worker_threads";
import { once } from "node:events";
import { WATCH_MS } from "./bounds.ts";

/** What a process may take for one job: milliseconds, and bytes of memory, what is outside of its heap included. */
export interface JobBounds {
  jobMsMax: number;
  memoryBytesMax: number;
}

/**
 * Starts the thread that watches over its process: the main one may be busy with a job for ever, and its heap is not all that
 * it takes. Answers with what tells that thread when a job begins and ends.
 */
export async function watchJobs(bounds: JobBounds): Promise<(isBusy: boolean) => void> {
  const thread = new Worker(new URL(import.meta.url), { env: {}, workerData: bounds });
  await once(thread, "message");
  return (isBusy) => thread.postMessage(isBusy, []);
}

if (parentPort) {
  const { jobMsMax, memoryBytesMax } = workerData as JobBounds;
  /** By the monotonic clock; null while nothing is done. */
  let beganAt: number | null = null;
  parentPort.on("message", (isBusy: boolean) => void (beganAt = isBusy ? performance.now() : null));
  setInterval(() => {
    const isLate = beganAt !== null && performance.now() - beganAt > jobMsMax;
    if (isLate || process.memoryUsage.rss() > memoryBytesMax) process.kill(process.pid, "SIGKILL");
  }, WATCH_MS);
  parentPort.postMessage("ready", []);
}
