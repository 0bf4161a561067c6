import { parentPort } from "node:worker_threads";
import { PDF_MEMORY_BYTES_MAX, PDF_READ_ALONE_MS_MAX, PDF_WATCH_MS } from "./bounds.ts";

// The thread that watches over its process: the main one may be busy with a page for ever, and its heap is not all that it
// takes.

/** By the monotonic clock; null while nothing is read. */
let beganAt: number | null = null;
parentPort?.on("message", (isReading: boolean) => void (beganAt = isReading ? performance.now() : null));

setInterval(() => {
  const isLate = beganAt !== null && performance.now() - beganAt > PDF_READ_ALONE_MS_MAX;
  if (isLate || process.memoryUsage.rss() > PDF_MEMORY_BYTES_MAX) process.kill(process.pid, "SIGKILL");
}, PDF_WATCH_MS);
parentPort?.postMessage("ready", []);
