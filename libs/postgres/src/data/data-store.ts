import {
  Fault,
  type CollectionsAsked,
  type DataCollection,
  type DataDocument,
  type DataPlace,
  type DataStore,
  type DataUsage,
} from "@bulkhead/core";
import type { Pool } from "pg";
import { askPool, inTransaction, type Ask } from "../files/file-transaction.ts";
import { faulting, QUERY_CANCELED, sqlStateOf } from "../sql-trouble.ts";
import { changeDocument } from "./change-document.ts";
import {
  DOCUMENT_COLUMNS,
  IS_PLACE,
  IS_THERE,
  placeValues,
  toDocument,
  type DocumentRow,
} from "./document-row.ts";
import { countDocuments, findCollection, queryDocuments } from "./query-documents.ts";
import { sweepDocuments } from "./sweep-documents.ts";

/** How long a query may look at documents; milliseconds. */
const QUERY_MS_MAX = 5_000;

/** Custom data in PostgreSQL. What it throws is a Fault. */
export function openDataStore(pool: Pool): DataStore {
  const ask = askPool(pool);
  return {
    find: (...asked) => faulting(() => findDocument(ask, ...asked)),
    change: (...asked) => faulting(() => inTransaction(pool, (within) => changeDocument(within, ...asked))),
    query: (place, asked) =>
      inCollection(pool, place, { documents: [], next: null }, (within, id) =>
        queryDocuments(within, place.workspace.tenantId, id, asked),
      ),
    count: (place, where) =>
      inCollection(pool, place, 0, (within, id) =>
        countDocuments(within, place.workspace.tenantId, id, where),
      ),
    collections: (...asked) => faulting(() => listCollections(ask, ...asked)),
    usage: (tenantId) => faulting(() => readUsage(ask, tenantId)),
    sweep: (...asked) => faulting(() => inTransaction(pool, (within) => sweepDocuments(within, ...asked))),
  };
}

async function findDocument(ask: Ask, place: DataPlace, id: string): Promise<DataDocument | null> {
  const [row] = await ask<DocumentRow>(
    `/* data.find */ SELECT ${DOCUMENT_COLUMNS} FROM data_collections AS c
    JOIN data_documents AS d ON d.tenant_id = c.tenant_id AND d.collection_id = c.id
    WHERE ${IS_PLACE} AND d.id = $5 AND ${IS_THERE}`,
    [...placeValues(place), id],
  );
  return row ? toDocument(row) : null;
}

/** Asks within the time that a query has; of a collection that is not there it answers `none`. */
async function inCollection<T>(
  pool: Pool,
  place: DataPlace,
  none: T,
  work: (ask: Ask, collectionId: string) => Promise<T>,
): Promise<T> {
  return faulting(async () => {
    try {
      return await inTransaction(pool, async (ask) => {
        const id = await findCollection(ask, place);
        if (id === null) return none;
        await ask(`SET LOCAL statement_timeout = ${QUERY_MS_MAX}`, []);
        return work(ask, id);
      });
    } catch (error) {
      if (sqlStateOf(error) !== QUERY_CANCELED) throw error;
      throw new Fault("data.query_too_slow", {
        detail: `The query took more than ${QUERY_MS_MAX / 1_000} seconds; add a condition of equality, or keep less in the collection.`,
        cause: error,
      });
    }
  });
}

interface CollectionRow {
  agent_id: string;
  user_id: string;
  name: string;
  documents: number;
  bytes: number;
}

async function listCollections(
  ask: Ask,
  tenantId: string,
  { agentId, userId, after, limit }: CollectionsAsked,
): Promise<DataCollection[]> {
  const values: unknown[] = [tenantId];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const conditions = ["c.tenant_id = $1", "c.documents > 0"];
  if (agentId !== undefined) conditions.push(`c.agent_id = ${value(agentId ?? "")}`);
  if (userId !== undefined) conditions.push(`c.user_id = ${value(userId ?? "")}`);
  if (after !== null) {
    const behind = [after.workspace.agentId ?? "", after.workspace.userId ?? "", after.collection];
    conditions.push(`(c.agent_id, c.user_id, c.name) > (${behind.map(value).join(", ")})`);
  }
  const rows = await ask<CollectionRow>(
    `SELECT c.agent_id, c.user_id, c.name, c.documents::float8 AS documents, c.bytes::float8 AS bytes
    FROM data_collections AS c WHERE ${conditions.join(" AND ")}
    ORDER BY c.agent_id, c.user_id, c.name LIMIT ${value(limit)}::int`,
    values,
  );
  const idOf = (stored: string): string | null => (stored === "" ? null : stored);
  return rows.map(({ agent_id, user_id, name, documents, bytes }) => ({
    workspace: { tenantId, agentId: idOf(agent_id), userId: idOf(user_id) },
    collection: name,
    documents,
    bytes,
  }));
}

async function readUsage(ask: Ask, tenantId: string): Promise<DataUsage> {
  const [row] = await ask<DataUsage & { [name: string]: number }>(
    `SELECT collections::float8 AS collections, documents::float8 AS documents, bytes::float8 AS bytes
    FROM data_usage WHERE tenant_id = $1`,
    [tenantId],
  );
  return row ?? { collections: 0, documents: 0, bytes: 0 };
}
