import type { ExecutionKey, FoundPiece, LogStore } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { claimDueLogs, giveBackLogs, oldestDueMs } from "./claim-due-logs.ts";
import { keepLogs, numbersOf } from "./keep-logs.ts";

/** Logs in PostgreSQL. What it throws is a Fault. `byId` is for statements that name their rows by id. */
export const openLogStore = (byId: PrismaClient): LogStore => ({
  claimDue: (round) => faulting(() => claimDueLogs(byId, round)),
  keep: (logs) => faulting(() => keepLogs(byId, logs)),
  giveBack: (logs, forMs) => faulting(() => giveBackLogs(byId, logs, forMs)),
  oldestDueMs: () => faulting(() => oldestDueMs(byId)),
  readPiece: (key, after) => faulting(() => readPiece(byId, key, after)),
  dropOld: (atOnce, bytesMax) => faulting(() => dropOld(byId, atOnce, bytesMax)),
});

// In SQL, since places in a log are compared as arrays.
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

// In SQL, since a round is cut by size. The length of a piece is in its row; no piece is read for it.
const DROP_OLD = `/* logs.drop_old */
WITH old AS (
  SELECT execution_id, kept_until FROM execution_logs WHERE kept_until <= now() ORDER BY kept_until LIMIT $1::int
), sized AS (
  SELECT o.execution_id, o.kept_until, coalesce(sum(octet_length(p.packed)), 0) AS bytes
  FROM old AS o LEFT JOIN log_pieces AS p ON p.execution_id = o.execution_id GROUP BY o.execution_id, o.kept_until
), summed AS (
  SELECT execution_id, sum(bytes) OVER (ORDER BY kept_until, execution_id) - bytes AS before FROM sized
)
DELETE FROM execution_logs WHERE execution_id IN (SELECT execution_id FROM summed WHERE before < $2::float8)`;

const dropOld = (client: PrismaClient, atOnce: number, bytesMax: number): Promise<number> =>
  client.$executeRawUnsafe(DROP_OLD, atOnce, bytesMax);
