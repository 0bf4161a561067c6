import type { LogStore } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { marked } from "../search/tenant-terms.ts";

/** An event's id as PostgreSQL compares it, as an array of `bigint`: the attempt, then the number. */
export const numbersOf = (eventId: string): string => `{${eventId.replace("-", ",")}}`;

// In SQL, since a log takes the place of what was due in one step. $1 to $5 are the logs, $6 to $10 their pieces. Who lost
// a log meanwhile finds it due no more, and writes nothing of it.
export const KEEP = `/* logs.keep */
WITH gone AS (
  DELETE FROM due_logs AS d USING unnest($1::text[], $2::text[]) AS l(execution_id, tenant_id)
  WHERE d.execution_id = l.execution_id AND d.tenant_id = l.tenant_id
  RETURNING d.execution_id, d.tenant_id
), kept AS (
  INSERT INTO execution_logs (execution_id, tenant_id, cut, words, kept_until)
  SELECT g.execution_id, g.tenant_id, l.cut,
    array_to_tsvector(string_to_array(l.words, ' ')), now() + l.days * interval '1 day'
  FROM unnest($1::text[], $3::text[], $4::text[], $5::int[]) AS l(execution_id, cut, words, days)
    JOIN gone AS g ON g.execution_id = l.execution_id
  WHERE l.words IS NOT NULL
  ON CONFLICT DO NOTHING RETURNING execution_id
)
INSERT INTO log_pieces (execution_id, n, first_id, last_id, packed)
SELECT k.execution_id, p.n, p.first_id::bigint[], p.last_id::bigint[], decode(p.packed, 'base64')
FROM unnest($6::text[], $7::int[], $8::text[], $9::text[], $10::text[]) AS p(execution_id, n, first_id, last_id, packed)
  JOIN kept AS k ON k.execution_id = p.execution_id`;

export async function keepLogs(client: PrismaClient, logs: Parameters<LogStore["keep"]>[0]): Promise<void> {
  if (logs.length === 0) return;
  // Two workers that keep the same ones lock them in the same order.
  const inOrder = logs.toSorted((a, b) => (a.executionId < b.executionId ? -1 : 1));
  const pieces = logs.flatMap(({ executionId, log }) =>
    (log?.pieces ?? []).map((piece, n) => ({ executionId, n, ...piece })),
  );
  await client.$executeRawUnsafe(
    KEEP,
    inOrder.map(({ executionId }) => executionId),
    inOrder.map(({ tenantId }) => tenantId),
    inOrder.map(({ log }) => log?.cut ?? null),
    inOrder.map(({ tenantId, log }) => log && marked(tenantId, log.words).join(" ")),
    inOrder.map(({ days }) => days),
    pieces.map(({ executionId }) => executionId),
    pieces.map(({ n }) => n),
    pieces.map(({ firstId }) => numbersOf(firstId)),
    pieces.map(({ lastId }) => numbersOf(lastId)),
    pieces.map(({ packed }) =>
      Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).toString("base64"),
    ),
  );
}
