import type { FileRecord, FileVersion, Workspace, WorkspaceLayer } from "@bulkhead/core";

/** A row of files as the driver has it, by `FILE_COLUMNS`. */
export interface FileRow {
  id: string;
  tenant_id: string;
  agent_id: string;
  user_id: string;
  path: string;
  version: number;
  size: number;
  hash: string;
  created_at: Date;
  created_by: string;
  written_at: Date;
  written_by: string;
}

/** Of a file `f`. A size is far below where a float is inexact. */
export const FILE_COLUMNS = `f.id, f.tenant_id, f.agent_id, f.user_id, f.path, f.version, f.size::float8 AS size, f.hash,
  f.created_at, f.created_by, f.written_at, f.written_by`;

const idOf = (stored: string): string | null => (stored === "" ? null : stored);

export const toWorkspace = (row: Pick<FileRow, "tenant_id" | "agent_id" | "user_id">): Workspace => ({
  tenantId: row.tenant_id,
  agentId: idOf(row.agent_id),
  userId: idOf(row.user_id),
});

export const toFile = (row: FileRow): FileRecord => ({
  workspace: toWorkspace(row),
  path: row.path,
  fileId: row.id,
  createdAt: row.created_at,
  createdBy: row.created_by,
  ...toVersion(row),
});

export const toVersion = (row: Omit<FileRow, "id" | "path">): FileVersion => ({
  version: row.version,
  size: row.size,
  hash: row.hash,
  writtenAt: row.written_at,
  writtenBy: row.written_by,
});

/** The first three values of a statement about a workspace. */
export const workspaceValues = ({ tenantId, agentId, userId }: Workspace): [string, string, string] => [
  tenantId,
  agentId ?? "",
  userId ?? "",
];

/** Of a file `f` in the workspace of the first three values. */
export const IN_WORKSPACE = "f.tenant_id = $1 AND f.agent_id = $2 AND f.user_id = $3";

/** Which files are meant, as a condition on `f`, with its values behind those of the workspace. */
export interface Condition {
  sql: string;
  values: unknown[];
}

/** The least text behind all that begins with `folder/`: by bytes `0` follows `/`. */
export const behindFolder = (folder: string): string => `${folder}0`;

interface Where {
  folder: string;
  denied: readonly string[];
  after: string | null;
}

/** The files of a layer that are asked for. Each part stands there only where it says something, so that the index serves it. */
export function whichFiles(
  { workspace, only, except }: WorkspaceLayer,
  { folder, denied, after }: Where,
): Condition {
  const values: unknown[] = workspaceValues(workspace);
  const parts = [IN_WORKSPACE];
  const value = (given: unknown): string => `$${values.push(given)}`;
  if (folder !== "")
    parts.push(`f.path > ${value(`${folder}/`)}::text`, `f.path < ${value(behindFolder(folder))}::text`);
  if (after !== null) parts.push(`f.path > ${value(after)}::text`);
  const listed = (paths: readonly string[]): string => {
    const exact = paths.filter((path) => !path.endsWith("/"));
    const within = paths.filter((path) => path.endsWith("/"));
    return `(f.path = ANY(${value(exact)}::text[])
      OR EXISTS (SELECT FROM unnest(${value(within)}::text[]) AS w WHERE starts_with(f.path, w)))`;
  };
  if (only !== null) parts.push(listed(only));
  if (except.length > 0) parts.push(`NOT ${listed(except)}`);
  if (denied.length > 0) parts.push(`NOT ${listed(denied.flatMap((path) => [path, `${path}/`]))}`);
  return { sql: parts.join(" AND "), values };
}
