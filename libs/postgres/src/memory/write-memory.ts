import { MEMORY_FORMAT, type MemoryIndex } from "@bulkhead/core";
import type { Ask } from "../files/file-transaction.ts";

/** In a transaction. Of two who store the same content one waits for the other, and finds it there. */
export async function addContent(
  ask: Ask,
  ...[tenantId, hash, { chunks, words, vectors }]: Parameters<MemoryIndex["add"]>
): Promise<void> {
  await ask("DELETE FROM memory_documents WHERE tenant_id = $1 AND hash = $2 AND format <> $3::int", [
    tenantId,
    hash,
    MEMORY_FORMAT,
  ]);
  // A tenant that is being deleted gets none: its deletion would never end.
  const added = await ask(
    `INSERT INTO memory_documents (tenant_id, hash, format, chunks, is_text, words, model, dimensions, vectors)
    SELECT t.id, $2, $3::int, $4::int, $5::boolean, $6::bytea, $7::text, $8::int, $9::bytea
    FROM tenants AS t WHERE t.id = $1 AND t.deleting_at IS NULL
    ON CONFLICT DO NOTHING RETURNING hash`,
    [
      tenantId,
      hash,
      MEMORY_FORMAT,
      chunks?.length ?? 0,
      chunks !== null,
      asBuffer(words),
      vectors?.model ?? null,
      vectors?.dimensions ?? null,
      vectors && asBuffer(vectors.values),
    ],
  );
  if (added.length === 0 || chunks === null || chunks.length === 0) return;
  await ask(
    `INSERT INTO memory_chunks (tenant_id, hash, n, start_line, end_line, text)
    SELECT $1, $2, c.n - 1, c.start_line, c.end_line, c.text
    FROM unnest($3::int[], $4::int[], $5::text[]) WITH ORDINALITY AS c (start_line, end_line, text, n)`,
    [
      tenantId,
      hash,
      chunks.map(({ startLine }) => startLine),
      chunks.map(({ endLine }) => endLine),
      chunks.map(({ text }) => text),
    ],
  );
}

/** The driver writes other views of bytes as JSON. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
