import { ThreadPool } from "@bulkhead/process";
import type { SearchFound, SearchJob } from "./search-lines.ts";

/** Threads of a process that search, each with the files of one page and what it finds. */
const THREADS_MAX = 2;
const THREAD_HEAP_MIB_MAX = 128;
/** A page takes RE2 half a second at the worst of what is usual; milliseconds. */
const PAGE_MS_MAX = 5_000;
const QUEUE_MAX = { ofTenant: 4, ofAll: 32 };
const WAIT_MS_MAX = 10_000;

/** Searches files off the caller's thread. */
export type FileSearch = Pick<ThreadPool<SearchJob, SearchFound>, "run" | "close">;

/** Threads are started when something is searched first. */
export const openFileSearch = (): FileSearch =>
  new ThreadPool<SearchJob, SearchFound>({
    program: { entry: new URL("./search-thread.ts", import.meta.url), heapMibMax: THREAD_HEAP_MIB_MAX },
    threadsMax: THREADS_MAX,
    queueMax: QUEUE_MAX,
    waitMsMax: WAIT_MS_MAX,
    msMaxFor: () => PAGE_MS_MAX,
  });
