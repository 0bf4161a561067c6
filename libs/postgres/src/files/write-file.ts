import {
  FILE_VERSIONS_MAX,
  foldersAbove,
  newFileId,
  type FileBounds,
  type FileCondition,
  type FileContent,
  type FilePlace,
  type FileRecord,
  type FileRefusal,
  type FileStore,
  type FileUsage,
  type FileWriter,
  type FileWritten,
} from "@bulkhead/core";
import {
  behindFolder,
  FILE_COLUMNS,
  IN_WORKSPACE,
  toFile,
  workspaceValues,
  type FileRow,
} from "./file-row.ts";
import type { Ask } from "./file-transaction.ts";
import { holdChunks, releaseChunks } from "./store-chunks.ts";

/** The pieces are not all there any more: they have to be stored again. */
export interface ChunksGone {
  outcome: "chunks_gone";
}

/** What the tenant uses, held until the end of the transaction: of all who write its files one goes on. */
export async function holdUsage(ask: Ask, tenantId: string): Promise<FileUsage> {
  const held =
    "SELECT files::float8 AS files, bytes::float8 AS bytes FROM file_usage WHERE tenant_id = $1 FOR UPDATE";
  const [usage] = await ask<{ files: number; bytes: number }>(held, [tenantId]);
  if (usage) return usage;
  await ask("INSERT INTO file_usage (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING", [tenantId]);
  const [begun] = await ask<{ files: number; bytes: number }>(held, [tenantId]);
  return begun ?? { files: 0, bytes: 0 };
}

export const addUsage = (ask: Ask, tenantId: string, { files, bytes }: FileUsage): Promise<unknown> =>
  ask("UPDATE file_usage SET files = files + $2::bigint, bytes = bytes + $3::bigint WHERE tenant_id = $1", [
    tenantId,
    files,
    bytes,
  ]);

export async function readUsage(ask: Ask, ...[tenantId]: Parameters<FileStore["usage"]>): Promise<FileUsage> {
  const [row] = await ask<{ files: number; bytes: number }>(
    "SELECT files::float8 AS files, bytes::float8 AS bytes FROM file_usage WHERE tenant_id = $1",
    [tenantId],
  );
  return row ?? { files: 0, bytes: 0 };
}

export async function fileAt(ask: Ask, { workspace, path }: FilePlace): Promise<FileRecord | null> {
  const [row] = await ask<FileRow>(
    `SELECT ${FILE_COLUMNS} FROM files AS f WHERE ${IN_WORKSPACE} AND f.path = $4`,
    [...workspaceValues(workspace), path],
  );
  return row ? toFile(row) : null;
}

/** Why no file can stand there, beside one that does: a folder does, or a file does where a folder of it would be. */
export async function whyNoFileAt(ask: Ask, { workspace, path }: FilePlace): Promise<FileRefusal | null> {
  const [found] = await ask<{ under: string | null; is_folder: boolean }>(
    `SELECT (SELECT f.path FROM files AS f WHERE ${IN_WORKSPACE} AND f.path = ANY($4::text[]) LIMIT 1) AS under,
      EXISTS (SELECT FROM files AS f WHERE ${IN_WORKSPACE} AND f.path > $5 AND f.path < $6) AS is_folder`,
    [...workspaceValues(workspace), foldersAbove(path), `${path}/`, behindFolder(path)],
  );
  if (found?.under) return { outcome: "under_file", path: found.under };
  return found?.is_folder ? { outcome: "is_folder", path } : null;
}

/** Whether the writer finds what it expects. */
export function meets(file: FileRecord | null, { exists, hashes }: FileCondition): boolean {
  if (exists !== null && exists !== (file !== null)) return false;
  return hashes === null || (file !== null && hashes.includes(file.hash));
}

/** Whose bounds are reached by what is added; what takes nothing more is let through, also above a lowered bound. */
function whyTooMany(now: FileUsage, added: FileUsage, bounds: FileBounds): FileRefusal | null {
  for (const bound of ["files", "bytes"] as const)
    if (added[bound] > 0 && now[bound] + added[bound] > bounds[bound])
      return { outcome: "too_many_files", bound, limit: bounds[bound] };
  return null;
}

/** In a transaction, behind `storeChunks`. */
export async function writeFile(
  ask: Ask,
  place: FilePlace,
  content: FileContent,
  condition: FileCondition,
  { by, bounds }: FileWriter,
): Promise<FileWritten | ChunksGone> {
  const { tenantId } = place.workspace;
  const used = await holdUsage(ask, tenantId);
  const former = await fileAt(ask, place);
  if (!meets(former, condition)) return { outcome: "condition_failed" };
  if (former?.hash === content.hash)
    return { outcome: "written", file: former, created: false, changed: false };
  const refused = former ? null : await whyNoFileAt(ask, place);
  if (refused) return refused;
  const added = { files: former ? 0 : 1, bytes: content.size - (former?.size ?? 0) };
  const tooMany = whyTooMany(used, added, bounds);
  if (tooMany) return tooMany;
  const hashes = content.chunks.map(({ hash }) => hash);
  if (!(await holdChunks(ask, tenantId, hashes))) return { outcome: "chunks_gone" };
  const file = former
    ? await addVersion(ask, former, content, by)
    : await createFile(ask, place, content, by);
  await ask(
    `INSERT INTO file_versions (file_id, version, tenant_id, size, hash, chunks, written_at, written_by)
    VALUES ($1, $2::int, $3, $4::bigint, $5, $6::text[], $7, $8)`,
    [file.fileId, file.version, tenantId, file.size, file.hash, hashes, file.writtenAt, by],
  );
  if (file.version > FILE_VERSIONS_MAX)
    await dropVersions(ask, tenantId, "file_id = $1 AND version <= $2::int", [
      file.fileId,
      file.version - FILE_VERSIONS_MAX,
    ]);
  await addUsage(ask, tenantId, added);
  return { outcome: "written", file, created: former === null, changed: true };
}

/** Deletes versions by a condition on `file_versions`, and tells the sweep of their pieces. */
export async function dropVersions(
  ask: Ask,
  tenantId: string,
  which: string,
  values: unknown[],
): Promise<void> {
  const gone = await ask<{ hash: string }>(
    `WITH gone AS (DELETE FROM file_versions WHERE ${which} RETURNING chunks)
    SELECT DISTINCT u.hash FROM gone CROSS JOIN unnest(gone.chunks) AS u (hash)`,
    values,
  );
  await releaseChunks(
    ask,
    tenantId,
    gone.map(({ hash }) => hash),
  );
}

async function createFile(
  ask: Ask,
  place: FilePlace,
  { size, hash }: FileContent,
  by: string,
): Promise<FileRecord> {
  const rows = await ask<FileRow>(
    `INSERT INTO files AS f (id, tenant_id, agent_id, user_id, path, version, size, hash, created_by, written_by)
    VALUES ($5, $1, $2, $3, $4, 1, $6::bigint, $7, $8, $8) RETURNING ${FILE_COLUMNS}`,
    [...workspaceValues(place.workspace), place.path, newFileId(), size, hash, by],
  );
  return onlyFile(rows);
}

async function addVersion(
  ask: Ask,
  { fileId }: FileRecord,
  { size, hash }: FileContent,
  by: string,
): Promise<FileRecord> {
  const rows = await ask<FileRow>(
    `UPDATE files AS f SET version = f.version + 1, size = $2::bigint, hash = $3, written_by = $4,
      written_at = clock_timestamp() WHERE f.id = $1 RETURNING ${FILE_COLUMNS}`,
    [fileId, size, hash, by],
  );
  return onlyFile(rows);
}

function onlyFile([row]: FileRow[]): FileRecord {
  // Whoever writes files of the tenant holds its usage, so that none goes meanwhile, but with the whole tenant.
  if (!row) throw new Error("a file has gone while its tenant's usage was held");
  return toFile(row);
}
