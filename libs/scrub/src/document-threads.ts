import { Fault } from "@bulkhead/core";
import { ThreadPool } from "@bulkhead/process";
import type { DocumentDone, DocumentJob } from "./cover-document.ts";

const MIB = 1024 * 1024;
const THREADS_MAX = 2;
/** A result of 4 MiB of empty lists takes about 100 MiB while it is parsed. */
const THREAD_HEAP_MIB_MAX = 256;
/** A thread's time for each MiB, and its least time, in milliseconds: a MiB takes 30 to 170. */
const MS_MAX_FOR_MIB = 2_000;
const MS_MIN = 2_000;
/** Documents that may wait for a thread, of one tenant and of all. A run has one value and its result there at a time. */
const QUEUE_MAX = { ofTenant: 40, ofAll: 160 };
/** How long one waits, in milliseconds. */
const WAIT_MS_MAX = 20_000;

/** Threads in which large documents are parsed and covered, shared by tenants. */
export class DocumentThreads {
  readonly #threads = new ThreadPool<DocumentJob, DocumentDone | null>({
    program: { entry: new URL("./document-thread.ts", import.meta.url), heapMibMax: THREAD_HEAP_MIB_MAX },
    threadsMax: THREADS_MAX,
    queueMax: QUEUE_MAX,
    waitMsMax: WAIT_MS_MAX,
    msMaxFor: ({ json }) => Math.max(MS_MIN, (json.length / MIB) * MS_MAX_FOR_MIB),
  });

  /** Null for a text that is no JSON, or nests too deep. Rejects with `service.unavailable` if no thread could do it. */
  async cover(tenantId: string, job: DocumentJob): Promise<DocumentDone | null> {
    const done = await this.#threads.run(tenantId, job);
    if (done.outcome === "answered") return done.answer;
    throw new Fault("service.unavailable", { internal: `covering a document: its thread ${done.outcome}` });
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}
