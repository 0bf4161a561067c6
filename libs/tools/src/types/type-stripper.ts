import { type StripOutcome, type TypeStripper, Fault } from "@bulkhead/core";
import { ThreadPool } from "@bulkhead/process";
import {
  CODE_BYTES_MAX,
  STRIP_MS_MAX,
  STRIP_QUEUE_MAX,
  STRIP_WAIT_MS_MAX,
  THREAD_HEAP_MIB_MAX,
  THREADS_MAX,
} from "./bounds.ts";

export interface TypeStripperOptions {
  /** A thread's time for one text, in milliseconds. */
  stripMsMax?: number;
}

/**
 * Opens a stripper that works in threads. A text that needs too much time or too much of the parser's stack costs a thread,
 * which another replaces: the parser that Node brings along is broken for good in the thread where its stack ran out.
 */
export function openTypeStripper({ stripMsMax = STRIP_MS_MAX }: TypeStripperOptions = {}): TypeStripper {
  const threads = new ThreadPool<string, StripOutcome>({
    program: { entry: new URL("./strip-thread.ts", import.meta.url), heapMibMax: THREAD_HEAP_MIB_MAX },
    threadsMax: THREADS_MAX,
    queueMax: STRIP_QUEUE_MAX,
    waitMsMax: STRIP_WAIT_MS_MAX,
    msMaxFor: () => stripMsMax,
  });
  return {
    async strip(tenantId, code) {
      if (Buffer.byteLength(code) > CODE_BYTES_MAX)
        return refused(`The code is larger than ${CODE_BYTES_MAX / 1024} KiB.`);
      const done = await threads.run(tenantId, code);
      switch (done.outcome) {
        case "answered":
          return done.answer;
        case "overran":
          return refused("The types take too long to be read; simplify them.");
        case "died":
          return refused("The code is nested too deeply.");
        case "unavailable":
          break;
      }
      throw new Fault("service.unavailable", {
        detail: "Too many tools in TypeScript are being read. Try again in a moment.",
        internal: "no thread for stripping types",
      });
    },
    close: () => threads.close(),
  };
}

const refused = (message: string): StripOutcome => ({
  ok: false,
  fault: { line: 1, column: 1, rule: "syntax", message },
});
