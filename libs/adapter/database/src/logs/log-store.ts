import type { ExecutionKey, FoundPiece, LogStore } from "@bulkhead/domain";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { claimDueLogs } from "./claim-due-logs.ts";
import { numbersOf } from "./event-id-numbers.ts";
import { keepLogs } from "./keep-logs.ts";

/** Logs in PostgreSQL. What it throws is a Fault. `byId` is for statements that name their rows by id. */
export const openLogStore = (byId: PrismaClient): LogStore => ({
  claimDue: (round) => faulting(() => claimDueLogs(byId, round)),
  keep: (logs) => faulting(() => keepLogs(byId, logs)),
  readPiece: (key, after) => faulting(() => readPiece(byId, key, after)),
  dropOld: (atOnce) => faulting(() => dropOld(byId, atOnce)),
});

export const READ_PIECE = `/* logs.read_piece */
SELECT p.packed, l.cut, EXISTS (SELECT FROM log_pieces AS h
    WHERE h.execution_id = l.execution_id AND h.first_id <= $3::bigint[] AND h.last_id >= $3::bigint[]) AS "holdsCursor"
FROM execution_logs AS l LEFT JOIN log_pieces AS p ON p.execution_id = l.execution_id AND p.last_id > $3::bigint[]
WHERE l.execution_id = $1 AND l.tenant_id = $2 AND l.kept_until > now()
ORDER BY p.n LIMIT 1`;

async function readPiece(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
  after: string,
): Promise<FoundPiece | null> {
  const [row] = await client.$queryRawUnsafe<FoundPiece[]>(
    READ_PIECE,
    executionId,
    tenantId,
    numbersOf(after),
  );
  return row ?? null;
}

const DROP_OLD = `/* logs.drop_old */
DELETE FROM execution_logs WHERE execution_id IN (
  SELECT execution_id FROM execution_logs WHERE kept_until <= now() ORDER BY kept_until LIMIT $1::int)`;

const dropOld = (client: PrismaClient, atOnce: number): Promise<number> =>
  client.$executeRawUnsafe(DROP_OLD, atOnce);
