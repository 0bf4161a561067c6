import {
  dataQuotaExceeded,
  Fault,
  newCollectionId,
  type DataChanged,
  type DataDecision,
  type DataPlace,
  type DataStore,
  type DataUsage,
} from "@bulkhead/core";
import type { Ask } from "../files/file-transaction.ts";
import { DOCUMENT_COLUMNS, IS_PLACE, placeValues, toDocument, type DocumentRow } from "./document-row.ts";

type Asked = Parameters<DataStore["change"]>;
type HeldRow = DocumentRow & { is_over: boolean };

/** How often a writer looks again at a document that another one has just made or removed. */
const LOOKS_MAX = 100;

/**
 * In a transaction. Rows are held in one order, the document, its collection, the tenant's usage, so that no two writers wait
 * for each other; the usage is held only where it changes.
 */
export async function changeDocument(ask: Ask, ...[place, id, decide, writer]: Asked): Promise<DataChanged> {
  const { tenantId } = place.workspace;
  for (let looked = 0; looked < LOOKS_MAX; looked += 1) {
    const { collectionId, now } = await holdCollection(ask, place);
    const held = collectionId === null ? null : await holdDocument(ask, [tenantId, collectionId, id]);
    const former = held && !held.is_over ? held : null;
    const decision = decide(former && toDocument(former), now);
    const isNewCollection = collectionId === null && decision.kind === "put";
    const inId = isNewCollection ? await createCollection(ask, place) : collectionId;
    // Another writer was sooner, to make the collection or the document.
    if (isNewCollection && inId === null) continue;
    const document =
      inId === null
        ? null
        : await write(ask, [tenantId, inId, id], { held, former, decision, by: writer.by });
    if (document === "overtaken") continue;
    const added = {
      collections: isNewCollection ? 1 : 0,
      documents: (document ? 1 : 0) - (held ? 1 : 0),
      bytes: (document?.bytes ?? 0) - (held?.bytes ?? 0),
    };
    if (inId !== null) await addToCollection(ask, tenantId, inId, added);
    await addToUsage(ask, tenantId, added, writer.bounds);
    return {
      document: document && toDocument(document),
      created: document !== null && former === null,
      removed: document === null && former !== null,
    };
  }
  throw new Fault("service.unavailable", { internal: "a document was made and removed again and again" });
}

/** The collection can't go until the end of the transaction; others write into it meanwhile. */
async function holdCollection(
  ask: Ask,
  place: DataPlace,
): Promise<{ collectionId: string | null; now: Date }> {
  const [found] = await ask<{ id: string; now: Date }>(
    `SELECT c.id, clock_timestamp() AS now FROM data_collections AS c WHERE ${IS_PLACE} FOR KEY SHARE`,
    placeValues(place),
  );
  if (found) return { collectionId: found.id, now: found.now };
  const [clock] = await ask<{ now: Date }>("SELECT clock_timestamp() AS now", []);
  return { collectionId: null, now: clock?.now ?? new Date() };
}

type Key = [tenantId: string, collectionId: string, id: string];
const IS_KEY = "d.tenant_id = $1 AND d.collection_id = $2 AND d.id = $3";

async function holdDocument(ask: Ask, key: Key): Promise<HeldRow | null> {
  const [held] = await ask<HeldRow>(
    `SELECT ${DOCUMENT_COLUMNS}, COALESCE(d.expires_at <= clock_timestamp(), false) AS is_over
    FROM data_documents AS d WHERE ${IS_KEY} FOR UPDATE`,
    key,
  );
  return held ?? null;
}

async function createCollection(ask: Ask, place: DataPlace): Promise<string | null> {
  const [made] = await ask<{ id: string }>(
    `INSERT INTO data_collections (tenant_id, agent_id, user_id, name, id) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING RETURNING id`,
    [...placeValues(place), newCollectionId()],
  );
  return made?.id ?? null;
}

interface Write {
  held: HeldRow | null;
  former: HeldRow | null;
  decision: DataDecision;
  by: string;
}

/** The row as it is then; null: none. */
async function write(
  ask: Ask,
  key: Key,
  { held, former, decision, by }: Write,
): Promise<DocumentRow | null | "overtaken"> {
  if (decision.kind === "remove") {
    if (held) await ask(`DELETE FROM data_documents AS d WHERE ${IS_KEY}`, key);
    return null;
  }
  const values = [...key, JSON.stringify(decision.value), decision.bytes, decision.expiresAt, by];
  const rows = await ask<DocumentRow>(statementOf(held, former), values);
  return rows[0] ?? "overtaken";
}

/** What has ended is made anew, in its own row. */
function statementOf(held: HeldRow | null, former: HeldRow | null): string {
  const body = "jsonb_build_object($2::text, $4::jsonb)";
  if (held === null)
    return `INSERT INTO data_documents AS d (tenant_id, collection_id, id, body, version, bytes, expires_at, created_by,
        updated_by, created_at, updated_at)
      SELECT $1, $2, $3, ${body}, 1, $5::int, $6::timestamptz, $7, $7, now.at, now.at FROM (SELECT clock_timestamp() AS at) AS now
      ON CONFLICT DO NOTHING RETURNING ${DOCUMENT_COLUMNS}`;
  const anew = former ? "" : ", version = 1, created_by = $7, created_at = clock_timestamp()";
  const version = former ? ", version = d.version + 1" : "";
  return `UPDATE data_documents AS d SET body = ${body}, bytes = $5::int, expires_at = $6::timestamptz, updated_by = $7,
      updated_at = clock_timestamp()${version}${anew}
    WHERE ${IS_KEY} RETURNING ${DOCUMENT_COLUMNS}`;
}

async function addToCollection(ask: Ask, tenantId: string, id: string, added: DataUsage): Promise<void> {
  if (added.documents === 0 && added.bytes === 0) return;
  await ask(
    `UPDATE data_collections SET documents = documents + $3::bigint, bytes = bytes + $4::bigint
    WHERE tenant_id = $1 AND id = $2`,
    [tenantId, id, added.documents, added.bytes],
  );
}

const BOUNDS = ["collections", "documents", "bytes"] as const;

/** What takes nothing more is let through, also above a lowered bound. */
async function addToUsage(ask: Ask, tenantId: string, added: DataUsage, bounds: DataUsage): Promise<void> {
  if (BOUNDS.every((bound) => added[bound] === 0)) return;
  const values = [tenantId, ...BOUNDS.map((bound) => added[bound])];
  const update = (): Promise<DataUsage[]> =>
    ask<DataUsage & { [name: string]: number }>(
      `UPDATE data_usage SET collections = collections + $2::bigint, documents = documents + $3::bigint, bytes = bytes + $4::bigint
      WHERE tenant_id = $1
      RETURNING collections::float8 AS collections, documents::float8 AS documents, bytes::float8 AS bytes`,
      values,
    );
  let [used] = await update();
  if (!used) {
    await ask("INSERT INTO data_usage (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING", [tenantId]);
    [used] = await update();
  }
  for (const bound of BOUNDS)
    if (used && added[bound] > 0 && used[bound] > bounds[bound])
      throw dataQuotaExceeded(bound, bounds[bound]);
}
