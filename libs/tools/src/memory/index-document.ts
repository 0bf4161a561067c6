import type { MemoryDocument } from "@bulkhead/core";
import type { MemoryDeps } from "./memory-engine.ts";

/** Indexes a document's content. Null: it has changed meanwhile, or there was no thread for it. */
export async function indexDocument(
  { files, memory, indexer, embeddings }: Pick<MemoryDeps, "files" | "memory" | "indexer" | "embeddings">,
  document: MemoryDocument,
): Promise<MemoryDocument["index"]> {
  const { workspace, version, size, hash } = document;
  const bytes = await files.read(document, version, { from: 0, to: size });
  if (bytes === null) return null;
  const job = { bytes: Uint8Array.from(bytes), withVectors: !embeddings.isRemote };
  const done = await indexer.run(workspace.tenantId, job);
  if (done.outcome !== "answered") return null;
  const { chunks, vectors } = done.answer;
  await memory.add(workspace.tenantId, hash, done.answer);
  return { chunks: chunks?.length ?? 0, isText: chunks !== null, model: vectors?.model ?? null };
}
