import type { MemoryIndex } from "@bulkhead/core";
import type { Pool } from "pg";
import { askPool, inTransaction } from "../files/file-transaction.ts";
import { faulting } from "../sql-trouble.ts";
import { claimVectors, listUnindexed, setVectors, sweepDocuments } from "./keep-memory.ts";
import { listDocuments, readChunks, readTexts, readWeights } from "./read-memory.ts";
import { addContent } from "./write-memory.ts";

/** The index of memories in PostgreSQL. What it throws is a Fault. */
export function openMemoryIndex(pool: Pool): MemoryIndex {
  const ask = askPool(pool);
  return {
    list: (...asked) => faulting(() => listDocuments(ask, ...asked)),
    add: (...asked) => faulting(() => inTransaction(pool, (within) => addContent(within, ...asked))),
    weights: (...asked) => faulting(() => readWeights(ask, ...asked)),
    chunks: (...asked) => faulting(() => readChunks(ask, ...asked)),
    texts: (...asked) => faulting(() => readTexts(ask, ...asked)),
    unindexed: (...asked) => faulting(() => listUnindexed(ask, ...asked)),
    claimVectors: (...asked) => faulting(() => claimVectors(ask, ...asked)),
    setVectors: (...asked) => faulting(() => setVectors(ask, ...asked)),
    sweep: (...asked) => faulting(() => sweepDocuments(ask, ...asked)),
  };
}
