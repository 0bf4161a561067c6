import {
  ANY_FILE,
  FOLDER_FILES_MAX,
  type FilePlace,
  type FileRecord,
  type FileRefusal,
  type FileStore,
} from "@bulkhead/core";
import { FILE_COLUMNS, toFile, whichFiles, type FileRow } from "./file-row.ts";
import type { Ask } from "./file-transaction.ts";
import { addUsage, dropVersions, fileAt, holdUsage, meets, whyNoFileAt } from "./write-file.ts";

type Moving = Parameters<FileStore["move"]>[2];

/** In a transaction. */
export async function moveFiles(
  ask: Ask,
  place: FilePlace,
  to: string,
  { overwrites, denied, check }: Moving,
): ReturnType<FileStore["move"]> {
  const { workspace } = place;
  await holdUsage(ask, workspace.tenantId);
  const file = await fileAt(ask, place);
  const files = file ? [file] : await filesWithin(ask, place, denied);
  if (files.length === 0) return { outcome: "not_found" };
  if (files.length > FOLDER_FILES_MAX) return { outcome: "folder_too_large" };
  const moved = files.map(({ path }) => ({ from: path, to: to + path.slice(place.path.length) }));
  for (const one of moved) check(one.to);
  const target = { workspace, path: to };
  const refused = (await whyNoFileAt(ask, target)) ?? (await clear(ask, target, file !== null && overwrites));
  if (refused) return refused;
  await ask(
    `UPDATE files SET path = $2 || substr(path, char_length($3::text) + 1) WHERE tenant_id = $1 AND id = ANY($4::text[])`,
    [workspace.tenantId, to, place.path, files.map(({ fileId }) => fileId)],
  );
  return { outcome: "moved", moved };
}

/** Takes away the file that stands in the way, where that may be. */
async function clear(ask: Ask, target: FilePlace, overwrites: boolean): Promise<FileRefusal | null> {
  const inTheWay = await fileAt(ask, target);
  if (inTheWay === null) return null;
  if (!overwrites) return { outcome: "exists", path: target.path };
  await dropFiles(ask, [inTheWay]);
  return null;
}

/** The files of a folder that are there, one more than may be taken at once. */
async function filesWithin(
  ask: Ask,
  { workspace, path }: FilePlace,
  denied: readonly string[],
): Promise<FileRecord[]> {
  const layer = { workspace, only: null, except: [] };
  const { sql, values } = whichFiles(layer, { folder: path, denied, after: null });
  const rows = await ask<FileRow>(
    `SELECT ${FILE_COLUMNS} FROM files AS f WHERE ${sql} ORDER BY f.path LIMIT ${FOLDER_FILES_MAX + 1}`,
    values,
  );
  return rows.map(toFile);
}

/** Deletes files that its caller has found while it holds the tenant's usage. */
async function dropFiles(
  ask: Ask,
  files: readonly FileRecord[],
): Promise<{ removed: number; bytes: number }> {
  const tenantId = files[0]?.workspace.tenantId ?? "";
  const ids = files.map(({ fileId }) => fileId);
  await dropVersions(ask, tenantId, "tenant_id = $1 AND file_id = ANY($2::text[])", [tenantId, ids]);
  await ask("DELETE FROM files WHERE tenant_id = $1 AND id = ANY($2::text[])", [tenantId, ids]);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  await addUsage(ask, tenantId, { files: -files.length, bytes: -bytes });
  return { removed: files.length, bytes };
}

/** In a transaction. */
export async function removeFiles(
  ask: Ask,
  place: FilePlace,
  { isRecursive, denied, condition }: Parameters<FileStore["remove"]>[1],
): ReturnType<FileStore["remove"]> {
  await holdUsage(ask, place.workspace.tenantId);
  const file = await fileAt(ask, place);
  if (file) {
    if (!meets(file, condition)) return { outcome: "condition_failed" };
    return { outcome: "removed", ...(await dropFiles(ask, [file])) };
  }
  const files = await filesWithin(ask, place, denied);
  if (files.length === 0) return { outcome: "not_found" };
  if (!isRecursive) return { outcome: "is_folder", path: place.path };
  if (!meets(null, { ...ANY_FILE, hashes: condition.hashes })) return { outcome: "condition_failed" };
  if (files.length > FOLDER_FILES_MAX) return { outcome: "folder_too_large" };
  return { outcome: "removed", ...(await dropFiles(ask, files)) };
}
