import {
  EMBEDDINGS_KEY_FIELD,
  EMBEDDINGS_SERVICE,
  Fault,
  type Embedded,
  type Embeddings,
  type FileStore,
  type MemoryContent,
  type MemoryIndex,
  type ServiceConfigs,
  type TenantStore,
} from "@bulkhead/core";
import { ThreadPool } from "@bulkhead/process";
import { LRUCache } from "lru-cache";
import type { IndexJob } from "./index-content.ts";
import type { RankedContent } from "./rank-chunks.ts";

/** Threads of a process that index, each with one document at a time: 1 MiB takes less than half a second of a processor. */
const THREADS_MAX = 2;
const THREAD_HEAP_MIB_MAX = 128;
const DOCUMENT_MS_MAX = 20_000;
const QUEUE_MAX = { ofTenant: 4, ofAll: 32 };
const WAIT_MS_MAX = 5_000;
/** What searches remember of documents, in bytes, and of how many. */
const WEIGHTS_BYTES_MAX = 64 * 1024 * 1024;
const WEIGHTS_MAX = 50_000;

/** What searches of the memory work by in one process. */
export interface MemoryEngine {
  embeddings: Embeddings;
  indexer: Pick<ThreadPool<IndexJob, MemoryContent>, "run">;
  /** By tenant, content and model, of which none ever changes. */
  weights: LRUCache<string, RankedContent>;
  /** The embeddings are their opener's to close. */
  close(): Promise<void>;
}

export interface MemoryDeps extends Omit<MemoryEngine, "close"> {
  files: FileStore;
  tenants: Pick<TenantStore, "find">;
  memory: MemoryIndex;
  configs: Pick<ServiceConfigs, "open">;
}

/** Threads are started when something is indexed first. */
export function openMemoryEngine(embeddings: Embeddings): MemoryEngine {
  const indexer = new ThreadPool<IndexJob, MemoryContent>({
    program: { entry: new URL("./index-thread.ts", import.meta.url), heapMibMax: THREAD_HEAP_MIB_MAX },
    threadsMax: THREADS_MAX,
    queueMax: QUEUE_MAX,
    waitMsMax: WAIT_MS_MAX,
    msMaxFor: () => DOCUMENT_MS_MAX,
  });
  const weights = new LRUCache<string, RankedContent>({
    max: WEIGHTS_MAX,
    maxSize: WEIGHTS_BYTES_MAX,
    sizeCalculation: ({ words, vectors }) =>
      words.starts.buffer.byteLength + (vectors ? vectors.values.byteLength + vectors.lengths.byteLength : 0),
  });
  return { embeddings, indexer, weights, close: () => indexer.close() };
}

/** Vectors of a tenant's texts, with its key where the call leaves this process. */
export async function embedFor(
  { embeddings, configs }: Pick<MemoryDeps, "embeddings" | "configs">,
  tenantId: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Embedded> {
  if (!embeddings.isRemote) return embeddings.embed({ tenantId, texts, key: null }, signal);
  try {
    const [service] = await configs.open(tenantId, [EMBEDDINGS_SERVICE]);
    const entry = service?.entries.find(({ isDefault }) => isDefault);
    const key = entry?.secrets.find(({ field }) => field === EMBEDDINGS_KEY_FIELD) ?? null;
    return await embeddings.embed({ tenantId, texts, key }, signal);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "vault.unreadable") throw error;
    const message = `the tenant's service ${EMBEDDINGS_SERVICE} can't be read; enter its ${EMBEDDINGS_KEY_FIELD} again`;
    return { ok: false, message };
  }
}
