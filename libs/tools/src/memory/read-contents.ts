import type { MemoryDocument } from "@bulkhead/core";
import { embedFor, type MemoryDeps } from "./memory-engine.ts";
import type { RankedContent } from "./rank-chunks.ts";
import { unpackVectors, unpackWords } from "./weights.ts";

/** Documents whose weights are read at once: some megabytes. */
const READ_AT_ONCE = 200;
/** How long a search waits for the vector of its query; milliseconds. */
const QUERY_VECTOR_MS_MAX = 4_000;

/** What is ranked of these documents, from memory or the database; what the index has no more is left out. */
export async function readContents(
  { memory, weights, embeddings }: Pick<MemoryDeps, "memory" | "weights" | "embeddings">,
  tenantId: string,
  documents: readonly MemoryDocument[],
): Promise<RankedContent[]> {
  // A content that got its vectors later is another one.
  const keyOf = (hash: string, model: string | null): string => `${tenantId}/${hash}/${model ?? ""}`;
  const known = new Map<string, RankedContent>();
  const missing: string[] = [];
  for (const { hash, index } of documents) {
    const content = weights.get(keyOf(hash, index?.model ?? null));
    if (content) known.set(hash, content);
    else missing.push(hash);
  }
  for (let at = 0; at < missing.length; at += READ_AT_ONCE)
    for (const row of await memory.weights(tenantId, missing.slice(at, at + READ_AT_ONCE))) {
      const { hash, vectors } = row;
      const isComparable = vectors !== null && vectors.model === embeddings.model;
      const content = {
        hash,
        words: unpackWords(row.words),
        vectors: isComparable ? unpackVectors(vectors) : null,
      };
      weights.set(keyOf(hash, vectors?.model ?? null), content);
      known.set(hash, content);
    }
  return documents.flatMap(({ hash }) => known.get(hash) ?? []);
}

/** The vector of a query; none where it can't be had, and why. */
export async function queryVector(
  deps: Pick<MemoryDeps, "embeddings" | "configs">,
  tenantId: string,
  query: string,
  signal: AbortSignal,
): Promise<{ found: ArrayLike<number> | null; note: string | null }> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(QUERY_VECTOR_MS_MAX)]);
  const embedded = await embedFor(deps, tenantId, [query], late);
  if (embedded.ok) return { found: embedded.vectors[0] ?? null, note: null };
  return { found: null, note: `Found by words alone: ${embedded.message}.` };
}
