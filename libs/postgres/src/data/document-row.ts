import type { DataDocument, DataPlace, Json } from "@bulkhead/core";

/** A row of documents as the driver has it, by `DOCUMENT_COLUMNS`. */
export interface DocumentRow {
  id: string;
  /** JSON as a text: the driver's own parser is the same, and knows no `null` from no value. */
  value: string;
  version: number;
  bytes: number;
  created_at: Date;
  created_by: string;
  updated_at: Date;
  updated_by: string;
  expires_at: Date | null;
}

/** Of a document `d`. A version is far below where a float is inexact. */
export const DOCUMENT_COLUMNS = `d.id, (d.body -> d.collection_id)::text AS value, d.version::float8 AS version, d.bytes,
  d.created_at, d.created_by, d.updated_at, d.updated_by, d.expires_at`;

/** Of a document `d`: its time is not over. */
export const IS_THERE = "(d.expires_at IS NULL OR d.expires_at > clock_timestamp())";

/** The first four values of a statement about a collection. */
export const placeValues = ({
  workspace: { tenantId, agentId, userId },
  collection,
}: DataPlace): [string, string, string, string] => [tenantId, agentId ?? "", userId ?? "", collection];

/** Of a collection `c` by the first four values. */
export const IS_PLACE = "c.tenant_id = $1 AND c.agent_id = $2 AND c.user_id = $3 AND c.name = $4";

export const toDocument = (row: DocumentRow): DataDocument => ({
  id: row.id,
  value: JSON.parse(row.value) as Json,
  version: row.version,
  createdAt: row.created_at,
  createdBy: row.created_by,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
  expiresAt: row.expires_at,
});
