import {
  FILE_CHUNK_BYTES,
  type FileRecord,
  type FileStore,
  type FileVersion,
  type SearchedFile,
} from "@bulkhead/core";
import { FILE_COLUMNS, toFile, toVersion, whichFiles, type FileRow } from "./file-row.ts";
import type { Ask } from "./file-transaction.ts";

type Asked<Name extends keyof FileStore> = Parameters<FileStore[Name]>;

export async function findFirst(ask: Ask, ...[places, path]: Asked<"findFirst">): Promise<FileRecord | null> {
  const [first] = places;
  if (!first) return null;
  const [row] = await ask<FileRow>(
    `/* files.find */ SELECT ${FILE_COLUMNS}
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS w (agent_id, user_id, n)
    JOIN files AS f ON f.tenant_id = $1 AND f.agent_id = w.agent_id AND f.user_id = w.user_id AND f.path = $2
    ORDER BY w.n LIMIT 1`,
    [
      first.tenantId,
      path,
      places.map(({ agentId }) => agentId ?? ""),
      places.map(({ userId }) => userId ?? ""),
    ],
  );
  return row ? toFile(row) : null;
}

export async function findAll(ask: Ask, ...[layer, paths]: Asked<"findAll">): Promise<FileRecord[]> {
  const { sql, values } = whichFiles(layer, { folder: "", denied: [], after: null });
  const rows = await ask<FileRow>(
    `SELECT ${FILE_COLUMNS} FROM files AS f WHERE ${sql} AND f.path = ANY($${values.length + 1}::text[])`,
    [...values, paths],
  );
  return rows.map(toFile);
}

export async function listFiles(ask: Ask, ...[layer, asked]: Asked<"list">): Promise<FileRecord[]> {
  const { sql, values } = whichFiles(layer, asked);
  const rows = await ask<FileRow>(
    `SELECT ${FILE_COLUMNS} FROM files AS f WHERE ${sql} ORDER BY f.path LIMIT $${values.length + 1}::int`,
    [...values, asked.limit],
  );
  return rows.map(toFile);
}

/** As one text, since a row each costs more than all else here; no path holds a line break. */
export async function listPaths(ask: Ask, ...[layer, asked]: Asked<"paths">): Promise<string[]> {
  const { sql, values } = whichFiles(layer, asked);
  const [row] = await ask<{ paths: string | null }>(
    `SELECT string_agg(p.path, E'\\n' ORDER BY p.path) AS paths FROM (
      SELECT f.path FROM files AS f WHERE ${sql} ORDER BY f.path LIMIT $${values.length + 1}::int) AS p`,
    [...values, asked.limit],
  );
  return row?.paths ? row.paths.split("\n") : [];
}

export async function readBytes(
  ask: Ask,
  ...[{ workspace, fileId }, version, { from, to }]: Asked<"read">
): Promise<Uint8Array | null> {
  const first = Math.floor(from / FILE_CHUNK_BYTES);
  const rows = await ask<{ bytes: Buffer | null }>(
    `/* files.read */ SELECT c.bytes FROM file_versions AS v
    LEFT JOIN unnest(v.chunks) WITH ORDINALITY AS u (hash, n) ON u.n > $4::int AND u.n <= $5::int
    LEFT JOIN file_chunks AS c ON c.tenant_id = v.tenant_id AND c.hash = u.hash
    WHERE v.tenant_id = $1 AND v.file_id = $2 AND v.version = $3::int ORDER BY u.n`,
    [workspace.tenantId, fileId, version, first, Math.ceil(to / FILE_CHUNK_BYTES)],
  );
  if (rows.length === 0) return null;
  const bytes = Buffer.concat(rows.flatMap((row) => row.bytes ?? []));
  const skipped = first * FILE_CHUNK_BYTES;
  return bytes.subarray(from - skipped, to - skipped);
}

export async function listVersions(
  ask: Ask,
  ...[{ workspace, fileId }]: Asked<"versions">
): Promise<FileVersion[]> {
  const rows = await ask<FileRow>(
    `SELECT v.version, v.size::float8 AS size, v.hash, v.written_at, v.written_by
    FROM file_versions AS v WHERE v.tenant_id = $1 AND v.file_id = $2 ORDER BY v.version DESC`,
    [workspace.tenantId, fileId],
  );
  return rows.map(toVersion);
}

/**
 * Of the next files so many that their bytes together stay within the bound, or one; the database looks for the literal, so
 * that bytes without it never leave it.
 */
export async function searchFiles(
  ask: Ask,
  ...[layer, asked]: Asked<"search">
): ReturnType<FileStore["search"]> {
  const { sql, values } = whichFiles(layer, asked);
  const at = values.length;
  const rows = await ask<{ path: string; size: number; bytes: Buffer | null; left: boolean }>(
    `WITH next AS MATERIALIZED (
      SELECT f.id, f.tenant_id, f.path, f.version, f.size FROM files AS f WHERE ${sql} ORDER BY f.path LIMIT $${at + 1}::int
    ), summed AS (
      SELECT n.*, row_number() OVER w AS place, sum(n.size) OVER w AS bytes, count(*) OVER () AS found FROM next AS n
      WINDOW w AS (ORDER BY n.path)
    ), taken AS (
      SELECT s.*, s.found = $${at + 1}::int OR s.found > count(*) OVER () AS left FROM summed AS s
      WHERE s.place = 1 OR s.bytes <= $${at + 2}::float8
    )
    SELECT t.path, t.size::float8 AS size, t.left, CASE WHEN whole.has THEN whole.bytes END AS bytes
    FROM taken AS t LEFT JOIN LATERAL (
      SELECT b.bytes, $${at + 3}::bytea IS NULL OR position($${at + 3}::bytea IN b.bytes) > 0 AS has FROM (
        SELECT string_agg(c.bytes, ''::bytea ORDER BY u.n) AS bytes FROM file_versions AS v
        CROSS JOIN unnest(v.chunks) WITH ORDINALITY AS u (hash, n)
        JOIN file_chunks AS c ON c.tenant_id = v.tenant_id AND c.hash = u.hash
        WHERE v.file_id = t.id AND v.version = t.version
      ) AS b
    ) AS whole ON true ORDER BY t.path`,
    [...values, asked.limit, asked.bytesMax, asked.literal],
  );
  const files = rows.flatMap(({ path, bytes }): SearchedFile[] => (bytes === null ? [] : [{ path, bytes }]));
  const last = rows.at(-1);
  return {
    looked: rows.map(({ path, size }) => ({ path, size })),
    files,
    next: last?.left ? last.path : null,
  };
}
