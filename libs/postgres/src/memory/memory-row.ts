import type { MemoryDocument } from "@bulkhead/core";
import { toWorkspace, type FileRow } from "../files/file-row.ts";

/** A document's row: of its file what is needed for thousands at once, and what the index has of its content. */
export interface DocumentRow extends Pick<
  FileRow,
  "id" | "tenant_id" | "agent_id" | "user_id" | "path" | "version" | "size" | "hash"
> {
  chunks: number | null;
  is_text: boolean | null;
  model: string | null;
}

/** Of a file `f` and its content `d`; no `d`: it is not indexed. */
export const DOCUMENT_COLUMNS = `f.id, f.tenant_id, f.agent_id, f.user_id, f.path, f.version, f.size::float8 AS size, f.hash,
  d.chunks, d.is_text, d.model`;

/** Whether a file `f` is a document of the memory, as the partial indexes have it word for word. */
export const IS_DOCUMENT = `(f.path IN ('MEMORY.md', 'memory.md') OR starts_with(f.path, 'memory/'))
  AND lower(right(f.path, 3)) = '.md'`;

export const toDocument = (row: DocumentRow): MemoryDocument => {
  const { id: fileId, path, version, size, hash, chunks, is_text: isText, model } = row;
  const index = chunks === null || isText === null ? null : { chunks, isText, model };
  return { workspace: toWorkspace(row), path, fileId, version, size, hash, index };
};
