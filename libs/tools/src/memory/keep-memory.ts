import { EMBEDDED_TEXTS_MAX, MEMORY_DOCUMENT_BYTES_MAX } from "@bulkhead/core";
import { indexDocument } from "./index-document.ts";
import { embedFor, type MemoryDeps } from "./memory-engine.ts";
import { packVectors } from "./weights.ts";

/** Documents that one turn looks at, contents whose vectors it claims at once, and how long it goes on; milliseconds. */
const LOOK_AT = 1_000;
const CLAIMED_AT_ONCE = 8;
const TURN_MS_MAX = 10_000;
/** Failures of the embeddings one after another at which a turn asks them no more, and how long nobody is asked then; milliseconds. */
const FAILURES_MAX = 3;
const PAUSE_MS = 60_000;
/** Contents that a sweep looks at in one statement. */
const SWEPT_AT_ONCE = 500;

export interface KeepMemoryDeps extends MemoryDeps {
  report(what: string, error: unknown): void;
}

/**
 * Indexes what was written by any door, without being told: it walks through all documents, again and again, and makes the
 * vectors of what has none, a few of each tenant in turn. Whatever ends it, the next one goes on.
 */
export class MemoryKeeper {
  readonly #deps: KeepMemoryDeps;
  #lookedUntil: string | null = null;
  #servedUntil: string | null = null;
  #notBefore = 0;

  constructor(deps: KeepMemoryDeps) {
    this.#deps = deps;
  }

  /** One turn. */
  async keep(signal: AbortSignal): Promise<void> {
    const until = performance.now() + TURN_MS_MAX;
    const isOver = (): boolean => signal.aborted || performance.now() > until;
    await this.#index(isOver);
    if (performance.now() >= this.#notBefore) await this.#makeVectors(isOver, signal);
  }

  async #index(isOver: () => boolean): Promise<void> {
    const { memory, embeddings } = this.#deps;
    const { documents, next } = await memory.unindexed(embeddings.model, this.#lookedUntil, LOOK_AT);
    for (const document of documents) {
      if (isOver()) return;
      if (document.size <= MEMORY_DOCUMENT_BYTES_MAX) await indexDocument(this.#deps, document);
      this.#lookedUntil = document.fileId;
    }
    this.#lookedUntil = next;
  }

  async #makeVectors(isOver: () => boolean, signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!isOver() && failures < FAILURES_MAX) {
      const due = await this.#deps.memory.claimVectors(this.#servedUntil, CLAIMED_AT_ONCE);
      this.#servedUntil = due?.tenantId ?? null;
      if (due === null) return;
      for (const hash of due.hashes) {
        const fault = await this.#makeVectorsOf(due.tenantId, hash, signal);
        // They answer: what failed before lay with its tenant, such as a key of its own.
        if (fault === null) failures = 0;
        if (fault === null) continue;
        if (signal.aborted) return;
        failures += 1;
        this.#deps.report("making vectors of memories failed", new Error(fault));
        // The tenant's others are held for a while and come again.
        break;
      }
    }
    if (failures >= FAILURES_MAX) this.#notBefore = performance.now() + PAUSE_MS;
  }

  /** Null: they are there, or the content is gone. */
  async #makeVectorsOf(tenantId: string, hash: string, signal: AbortSignal): Promise<string | null> {
    const { memory, embeddings } = this.#deps;
    const texts = await memory.texts(tenantId, hash);
    const vectors: ArrayLike<number>[] = [];
    for (let at = 0; at < texts.length; at += EMBEDDED_TEXTS_MAX) {
      const some = texts.slice(at, at + EMBEDDED_TEXTS_MAX);
      const embedded = await embedFor(this.#deps, tenantId, some, signal);
      if (!embedded.ok) return embedded.message;
      vectors.push(...embedded.vectors);
    }
    if (vectors.some(({ length }) => length !== vectors[0]?.length))
      return "the vectors of one document have different lengths";
    if (vectors.length > 0) await memory.setVectors(tenantId, hash, packVectors(embeddings.model, vectors));
    return null;
  }
}

/** Drops what is indexed of documents that are no more. */
export async function sweepMemory(
  { memory }: Pick<MemoryDeps, "memory">,
  signal: AbortSignal,
): Promise<void> {
  let after: Parameters<MemoryDeps["memory"]["sweep"]>[0] = null;
  do after = await memory.sweep(after, SWEPT_AT_ONCE);
  while (after !== null && !signal.aborted);
}
