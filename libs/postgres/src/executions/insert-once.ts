import {
  IDEMPOTENCY_HOURS,
  type IdempotencyKey,
  type InsertOnce,
  type KnownCall,
  type NewExecution,
} from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { inIdOrder } from "./id-order.ts";
import { insertExecutions, toInsert } from "./insert-executions.ts";

/**
 * Of those who bring one key, exactly one inserts: the others wait for its commit here and then find the key taken. One
 * whose hours are over is taken anew.
 */
const TAKE_KEYS = `/* executions.take_keys */
INSERT INTO idempotency_keys AS k (tenant_id, key, body_hash, execution_id)
SELECT n.tenant_id, n.key, n.body_hash, n.execution_id
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS n(tenant_id, key, body_hash, execution_id)
ON CONFLICT (tenant_id, key) DO UPDATE
  SET body_hash = excluded.body_hash, execution_id = excluded.execution_id, created_at = clock_timestamp()
  WHERE k.created_at <= now() - ${IDEMPOTENCY_HOURS} * interval '1 hour'
RETURNING execution_id`;

/** Of a key `k` of the last hours. */
const KNOWN = `SELECT k.key, k.execution_id, k.body_hash, e.erased_at IS NOT NULL AS is_deleted
FROM idempotency_keys AS k LEFT JOIN executions AS e ON e.id = k.execution_id`;

const FIND_KEY = `/* executions.find_key */
${KNOWN} WHERE k.tenant_id = $1 AND k.key = $2 AND k.created_at > now() - ${IDEMPOTENCY_HOURS} * interval '1 hour'`;

const FIND_KEYS = `/* executions.find_keys */
${KNOWN} WHERE k.tenant_id = $1 AND k.key = ANY($2) AND k.created_at > now() - ${IDEMPOTENCY_HOURS} * interval '1 hour'`;

const DROP_KEYS = `/* executions.drop_keys */
DELETE FROM idempotency_keys WHERE (tenant_id, key) IN (
  SELECT tenant_id, key FROM idempotency_keys
  WHERE created_at <= now() - ${IDEMPOTENCY_HOURS} * interval '1 hour'
  LIMIT $1::int FOR UPDATE SKIP LOCKED)`;

interface Call {
  execution: NewExecution;
  once: IdempotencyKey;
}

/** How long the whole transaction may take; milliseconds. */
const TRANSACTION_MS_MAX = 15_000;

/**
 * Inserts what no key stands for yet, all in one transaction; a key that comes twice among the calls counts for its first.
 * Where another request has the key of the one that they are parts of, nothing is inserted.
 */
export async function insertOnce(client: PrismaClient, calls: Call[]): Promise<InsertOnce[]> {
  return client.$transaction(
    async (transaction) => {
      const contested = await takeRequest(transaction, calls);
      if (contested) return calls.map(() => contested);
      const first = new Map<string, Call>();
      for (const call of calls) if (!first.has(call.once.key)) first.set(call.once.key, call);
      // In the order of the keys, so that two batches that meet can't wait for each other in a circle.
      const items = inIdOrder([...first.values()], ({ once }) => once.key).map(({ item }) => item);
      const taken = await takeKeys(transaction, items);
      const fresh = items.filter(({ execution }) => taken.has(execution.executionId));
      if (fresh.length > 0)
        await insertExecutions(
          transaction,
          fresh.map(({ execution }) => toInsert(execution)),
        );
      const outcomes: InsertOnce[] = [];
      for (const { execution, once } of calls) {
        if (taken.has(execution.executionId)) outcomes.push({ outcome: "inserted" });
        else outcomes.push(await knownAs(transaction, execution.tenantId, once));
      }
      return outcomes;
    },
    { timeout: TRANSACTION_MS_MAX },
  );
}

/** The executions whose keys were free or whose hours were over. */
async function takeKeys(client: Pick<PrismaClient, "$queryRawUnsafe">, items: Call[]): Promise<Set<string>> {
  const rows = await client.$queryRawUnsafe<{ execution_id: string }[]>(
    TAKE_KEYS,
    items.map(({ execution }) => execution.tenantId),
    items.map(({ once }) => once.key),
    items.map(({ once }) => once.bodyHash),
    items.map(({ execution }) => execution.executionId),
  );
  return new Set(rows.map((row) => row.execution_id));
}

/**
 * Takes the key of the request that the calls are parts of, before those of the parts: so that it stands also for the parts
 * that were refused. What it answers was asked for by another request.
 */
async function takeRequest(
  client: Pick<PrismaClient, "$queryRawUnsafe">,
  calls: Call[],
): Promise<InsertOnce | null> {
  const part = calls.find(({ once }) => once.partOf !== undefined);
  if (part?.once.partOf === undefined) return null;
  const { execution, once } = part;
  const request = { key: part.once.partOf, bodyHash: once.bodyHash };
  const taken = await takeKeys(client, [{ execution, once: request }]);
  if (taken.size > 0) return null;
  const known = await knownAs(client, execution.tenantId, request);
  return known.outcome === "known" && !known.sameBody ? known : null;
}

async function knownAs(
  client: Pick<PrismaClient, "$queryRawUnsafe">,
  tenantId: string,
  once: IdempotencyKey,
): Promise<InsertOnce> {
  const known = await findByKey(client, tenantId, once);
  // A key that is taken and then gone again within one transaction: only an operator's hand can do that.
  if (known === null) throw new Error("an idempotency key vanished while it was taken");
  return { outcome: "known", ...known };
}

export async function findByKey(
  client: Pick<PrismaClient, "$queryRawUnsafe">,
  tenantId: string,
  { key, bodyHash }: IdempotencyKey,
): Promise<KnownCall | null> {
  const [row] = await client.$queryRawUnsafe<KnownRow[]>(FIND_KEY, tenantId, key);
  return row ? toKnown(row, bodyHash) : null;
}

interface KnownRow {
  key: string;
  execution_id: string;
  body_hash: string;
  is_deleted: boolean;
}

const toKnown = (row: KnownRow, bodyHash: string | undefined): KnownCall => ({
  executionId: row.execution_id,
  sameBody: row.body_hash === bodyHash,
  isDeleted: row.is_deleted,
});

/** Of several keys of a tenant those that stand for an execution, by key. */
export async function findByKeys(
  client: Pick<PrismaClient, "$queryRawUnsafe">,
  tenantId: string,
  keys: readonly IdempotencyKey[],
): Promise<Map<string, KnownCall>> {
  const hashes = new Map(keys.map(({ key, bodyHash }) => [key, bodyHash]));
  const rows = await client.$queryRawUnsafe<KnownRow[]>(FIND_KEYS, tenantId, [...hashes.keys()]);
  return new Map(rows.map((row) => [row.key, toKnown(row, hashes.get(row.key))]));
}

export const dropOldKeys = (client: PrismaClient, limit: number): Promise<number> =>
  client.$executeRawUnsafe(DROP_KEYS, limit);
