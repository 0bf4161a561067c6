import { MEMORY_FORMAT, type DueVectors, type MemoryIndex } from "@bulkhead/core";
import type { Ask } from "../files/file-transaction.ts";
import { DOCUMENT_COLUMNS, IS_DOCUMENT, toDocument, type DocumentRow } from "./memory-row.ts";
import { asBuffer } from "./write-memory.ts";

type Asked<Name extends keyof MemoryIndex> = Parameters<MemoryIndex[Name]>;

/** How long a claim of vectors is held; where making them fails, it is tried again after this. */
const HELD = "interval '2 minutes'";
/** How long a content is left alone that no document has: a file that is moved or written back finds it still there. */
const LEFT_ALONE = "interval '1 hour'";

export async function listUnindexed(
  ask: Ask,
  ...[model, after, lookAt]: Asked<"unindexed">
): ReturnType<MemoryIndex["unindexed"]> {
  const rows = await ask<DocumentRow>(
    `/* memory.unindexed */ SELECT ${DOCUMENT_COLUMNS} FROM (
      SELECT f.* FROM files AS f WHERE ${IS_DOCUMENT} AND f.id > $1 ORDER BY f.id LIMIT $2::int
    ) AS f
    LEFT JOIN memory_documents AS d ON d.tenant_id = f.tenant_id AND d.hash = f.hash AND d.format = $3::int
    ORDER BY f.id`,
    [after ?? "", lookAt, MEMORY_FORMAT],
  );
  const documents = rows.map(toDocument);
  const outdated = documents.filter(({ index }) => index && index.model !== null && index.model !== model);
  if (outdated.length > 0)
    await ask(
      `UPDATE memory_documents AS d SET model = NULL, dimensions = NULL, vectors = NULL, vectors_due_at = now()
      FROM unnest($1::text[], $2::text[]) AS o (tenant_id, hash)
      WHERE d.tenant_id = o.tenant_id AND d.hash = o.hash AND d.model <> $3`,
      [outdated.map(({ workspace }) => workspace.tenantId), outdated.map(({ hash }) => hash), model],
    );
  return {
    documents: documents.filter(({ index }) => index === null),
    next: rows.length < lookAt ? null : (documents.at(-1)?.fileId ?? null),
  };
}

const IS_DUE = "d.vectors IS NULL AND d.chunks > 0 AND d.vectors_due_at <= now()";

export async function claimVectors(
  ask: Ask,
  ...[after, limit]: Asked<"claimVectors">
): Promise<DueVectors | null> {
  const rows = await ask<{ tenant_id: string; hash: string }>(
    `/* memory.claim */ WITH next AS MATERIALIZED (
      SELECT d.tenant_id FROM memory_documents AS d WHERE ${IS_DUE} AND d.tenant_id > $1 ORDER BY d.tenant_id LIMIT 1
    ), due AS MATERIALIZED (
      SELECT d.tenant_id, d.hash FROM memory_documents AS d
      WHERE ${IS_DUE} AND d.tenant_id = (SELECT next.tenant_id FROM next)
      ORDER BY d.vectors_due_at LIMIT $2::int FOR UPDATE SKIP LOCKED
    )
    UPDATE memory_documents AS d SET vectors_due_at = now() + ${HELD} FROM due
    WHERE d.tenant_id = due.tenant_id AND d.hash = due.hash RETURNING d.tenant_id, d.hash`,
    [after ?? "", limit],
  );
  const [first] = rows;
  return first ? { tenantId: first.tenant_id, hashes: rows.map(({ hash }) => hash) } : null;
}

export async function setVectors(
  ask: Ask,
  ...[tenantId, hash, { model, dimensions, values }]: Asked<"setVectors">
): Promise<void> {
  await ask(
    `UPDATE memory_documents AS d SET model = $3, dimensions = $4::int, vectors = $5::bytea
    WHERE d.tenant_id = $1 AND d.hash = $2 AND octet_length($5::bytea) = d.chunks * $4::int`,
    [tenantId, hash, model, dimensions, asBuffer(values)],
  );
}

export async function sweepDocuments(
  ask: Ask,
  ...[after, lookAt]: Asked<"sweep">
): ReturnType<MemoryIndex["sweep"]> {
  const rows = await ask<{ tenant_id: string; hash: string }>(
    `SELECT d.tenant_id, d.hash FROM memory_documents AS d WHERE (d.tenant_id, d.hash) > ($1, $2)
    ORDER BY d.tenant_id, d.hash LIMIT $3::int`,
    [after?.tenantId ?? "", after?.hash ?? "", lookAt],
  );
  if (rows.length > 0)
    await ask(
      `DELETE FROM memory_documents AS d USING unnest($1::text[], $2::text[]) AS o (tenant_id, hash)
      WHERE d.tenant_id = o.tenant_id AND d.hash = o.hash AND d.indexed_at < now() - ${LEFT_ALONE}
        AND NOT EXISTS (SELECT FROM files AS f WHERE f.tenant_id = d.tenant_id AND f.hash = d.hash AND ${IS_DOCUMENT})`,
      [rows.map((row) => row.tenant_id), rows.map(({ hash }) => hash)],
    );
  const last = rows.at(-1);
  return last && rows.length === lookAt ? { tenantId: last.tenant_id, hash: last.hash } : null;
}
