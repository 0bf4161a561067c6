import type { ByteRange, ExecutionKey, PayloadBytes, PayloadPart } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { is } from "./by-id.ts";

// In SQL, so that no more of it than what is asked for leaves the database.
const readSql = (part: PayloadPart): string => `/* executions.read_${part} */
SELECT e.context->>'agentId' AS "agentId", e.access_token_id AS "accessTokenId", octet_length(p.bytes) AS total,
  substring(p.bytes FROM $3::int + 1 FOR $4::int) AS bytes
FROM executions AS e, LATERAL (SELECT convert_to(coalesce(e.${part}::text, 'null'), 'UTF8') AS bytes) AS p
WHERE e.id = $1 AND ${is("e.tenant_id", "$2")} AND e.erased_at IS NULL`;

export const READ_ARGUMENTS = readSql("arguments");
export const READ_RESULT = readSql("result");

/** Where nothing is stored the text is `null`, as of a result that is not there yet. */
export async function readPayload(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
  part: PayloadPart,
  { from, count }: ByteRange,
): Promise<PayloadBytes | null> {
  const sql = part === "arguments" ? READ_ARGUMENTS : READ_RESULT;
  const [row] = await client.$queryRawUnsafe<PayloadBytes[]>(sql, executionId, tenantId, from, count);
  return row ?? null;
}
