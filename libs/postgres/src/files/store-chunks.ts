import type { FileChunk } from "@bulkhead/core";
import type { Ask } from "./file-transaction.ts";

/** Pieces that one statement writes: 4 MiB. */
const AT_ONCE = 16;

const byHash = (one: string, other: string): number => (one < other ? -1 : 1);

/**
 * Stores pieces before the file that has them, each committed by itself. One that is there is touched, so that the sweep leaves
 * it alone for an hour, in which the file is written or its writer has given up. In the order of hashes, as whoever locks several.
 */
export async function storeChunks(ask: Ask, tenantId: string, chunks: readonly FileChunk[]): Promise<void> {
  const distinct = [...new Map(chunks.map((chunk) => [chunk.hash, chunk])).values()];
  const sorted = distinct.toSorted((one, other) => byHash(one.hash, other.hash));
  for (let at = 0; at < sorted.length; at += AT_ONCE) {
    const some = sorted.slice(at, at + AT_ONCE);
    const rows = some.map((_chunk, n) => `($1, $${2 * n + 2}, $${2 * n + 3})`).join(", ");
    await ask(
      `INSERT INTO file_chunks (tenant_id, hash, bytes) VALUES ${rows}
      ON CONFLICT (tenant_id, hash) DO UPDATE SET touched_at = clock_timestamp()`,
      [
        tenantId,
        ...some.flatMap(({ hash, bytes }) => [
          hash,
          Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
        ]),
      ],
    );
  }
}

/** Whether they are all there, and stay there until the end of the transaction. */
export async function holdChunks(ask: Ask, tenantId: string, hashes: readonly string[]): Promise<boolean> {
  const distinct = new Set(hashes);
  const held = await ask(
    "SELECT hash FROM file_chunks WHERE tenant_id = $1 AND hash = ANY($2::text[]) ORDER BY hash FOR KEY SHARE",
    [tenantId, [...distinct]],
  );
  return held.length === distinct.size;
}

/** Tells the sweep that a version with these has gone. */
export async function releaseChunks(ask: Ask, tenantId: string, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await ask(
    `UPDATE file_chunks AS c SET touched_at = clock_timestamp() FROM (
      SELECT hash FROM file_chunks WHERE tenant_id = $1 AND hash = ANY($2::text[]) ORDER BY hash FOR NO KEY UPDATE
    ) AS held WHERE c.tenant_id = $1 AND c.hash = held.hash`,
    [tenantId, [...new Set(hashes)]],
  );
}

/** How long a piece is left alone after it was touched. */
const LEFT_ALONE = "interval '1 hour'";

/**
 * In a transaction. What is looked at is locked, and what others hold is passed over: a writer that touches such a piece waits
 * and then stores it anew. Who has one is asked by a second statement, which sees what was committed before the locks.
 */
export async function sweepChunks(ask: Ask, atOnce: number): Promise<number> {
  const due = await ask<{ tenant_id: string; hash: string }>(
    `SELECT tenant_id, hash FROM file_chunks WHERE touched_at < now() - ${LEFT_ALONE}
    ORDER BY touched_at LIMIT $1::int FOR UPDATE SKIP LOCKED`,
    [atOnce],
  );
  if (due.length === 0) return 0;
  const values = [due.map((row) => row.tenant_id), due.map((row) => row.hash)];
  const isHad =
    "EXISTS (SELECT FROM file_versions AS v WHERE v.chunks @> ARRAY[c.hash] AND v.tenant_id = c.tenant_id)";
  const among = "(c.tenant_id, c.hash) IN (SELECT * FROM unnest($1::text[], $2::text[]))";
  await ask(`DELETE FROM file_chunks AS c WHERE ${among} AND NOT ${isHad}`, values);
  await ask(`UPDATE file_chunks AS c SET touched_at = NULL WHERE ${among}`, values);
  return due.length;
}
