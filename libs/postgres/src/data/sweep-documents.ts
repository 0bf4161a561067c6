import type { DataStore } from "@bulkhead/core";
import type { Ask } from "../files/file-transaction.ts";

interface Gone {
  tenant_id: string;
  collection_id: string;
  documents: string;
  bytes: string;
}

/** In a transaction. What others hold is passed over; rows of several tenants are held in one order. */
export async function sweepDocuments(
  ask: Ask,
  ...[atOnce, tenantId]: Parameters<DataStore["sweep"]>
): Promise<number> {
  const ofTenant = tenantId === undefined ? "" : "AND d.tenant_id = $2";
  const values = tenantId === undefined ? [atOnce] : [atOnce, tenantId];
  const gone = await ask<Gone>(
    `WITH due AS MATERIALIZED (
      SELECT d.tenant_id, d.collection_id, d.id FROM data_documents AS d WHERE d.expires_at <= now() ${ofTenant}
      ORDER BY d.expires_at LIMIT $1::int FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM data_documents AS d USING due
      WHERE d.tenant_id = due.tenant_id AND d.collection_id = due.collection_id AND d.id = due.id
      RETURNING d.tenant_id, d.collection_id, d.bytes
    )
    SELECT tenant_id, collection_id, count(*) AS documents, sum(bytes) AS bytes FROM gone GROUP BY 1, 2 ORDER BY 1, 2`,
    values,
  );
  for (const { tenant_id, collection_id, documents, bytes } of gone)
    await ask(
      `UPDATE data_collections SET documents = documents - $3::bigint, bytes = bytes - $4::bigint
      WHERE tenant_id = $1 AND id = $2`,
      [tenant_id, collection_id, documents, bytes],
    );
  const emptied = await ask<{ tenant_id: string; collections: string }>(
    `WITH empty AS MATERIALIZED (
      SELECT d.tenant_id, d.id FROM data_collections AS d WHERE d.documents = 0 ${ofTenant}
      LIMIT $1::int FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM data_collections AS c USING empty WHERE c.tenant_id = empty.tenant_id AND c.id = empty.id
      RETURNING c.tenant_id
    )
    SELECT tenant_id, count(*) AS collections FROM gone GROUP BY 1`,
    values,
  );
  const usage = new Map<string, { collections: number; documents: number; bytes: number }>();
  const add = (tenant: string, collections: string, documents: string, bytes: string): void => {
    const sum = usage.get(tenant) ?? { collections: 0, documents: 0, bytes: 0 };
    usage.set(tenant, {
      collections: sum.collections + Number(collections),
      documents: sum.documents + Number(documents),
      bytes: sum.bytes + Number(bytes),
    });
  };
  for (const one of gone) add(one.tenant_id, "0", one.documents, one.bytes);
  for (const one of emptied) add(one.tenant_id, one.collections, "0", "0");
  let swept = 0;
  for (const tenant of [...usage.keys()].toSorted()) {
    const { collections, documents, bytes } = usage.get(tenant) ?? { collections: 0, documents: 0, bytes: 0 };
    swept += collections + documents;
    await ask(
      `UPDATE data_usage SET collections = collections - $2::bigint, documents = documents - $3::bigint,
        bytes = bytes - $4::bigint WHERE tenant_id = $1`,
      [tenant, collections, documents, bytes],
    );
  }
  return swept;
}
