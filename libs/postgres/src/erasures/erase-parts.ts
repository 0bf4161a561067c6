import { ERASABLE_PARTS, type ErasureStore } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";

/** The code stays: it is of a closed list. It is taken from the text, since a message may have a NUL, on which ->> fails. */
const withoutText = (error: string): string =>
  `json_build_object('code', execution_error_code(${error}), 'message', 'The message was erased.')`;

const ALL_PARTS = `ARRAY[${ERASABLE_PARTS.map((part) => `'${part}'`).join(", ")}]`;

// In SQL, since a part is erased within a document. What was given lies in four places: the arguments, those that a person
// changed, the words in which the tool's own code failed at them, and the script that came with its call.
const ERASE = `/* erasures.erase */
WITH asked AS (
  SELECT id, tenant_id, array_agg(part) AS parts, bool_or(part = 'arguments') AS arguments, bool_or(part = 'result') AS result
  FROM unnest($1::text[], $2::text[], $3::text[]) AS a(id, tenant_id, part) GROUP BY id, tenant_id
), held AS (
  SELECT e.id, a.parts, a.arguments, a.result FROM executions AS e JOIN asked AS a ON e.id = a.id AND e.tenant_id = a.tenant_id
  WHERE e.id = ANY($1) AND e.finished_at IS NOT NULL ORDER BY e.id FOR NO KEY UPDATE OF e
), erased AS (
  UPDATE executions AS e SET
    arguments = CASE WHEN h.arguments THEN '{}' ELSE e.arguments END,
    arguments_bytes = CASE WHEN NOT h.arguments THEN e.arguments_bytes END,
    inline_tool = CASE WHEN h.arguments AND e.inline_tool IS NOT NULL THEN '{}' ELSE e.inline_tool END,
    approval = CASE WHEN h.arguments THEN e.approval - 'askedJson' #- '{asking,message}' ELSE e.approval END,
    result = CASE WHEN h.result THEN NULL ELSE e.result END,
    result_bytes = CASE WHEN NOT h.result THEN e.result_bytes END,
    error = CASE WHEN h.result AND e.error IS NOT NULL THEN ${withoutText("e.error")} ELSE e.error END,
    erased = ARRAY(SELECT DISTINCT part FROM unnest(e.erased || h.parts) AS part)
  FROM held AS h WHERE e.id = h.id
  RETURNING e.id
), tries AS (
  UPDATE execution_attempts AS p SET error = ${withoutText("p.error")}
  FROM held AS h WHERE h.result AND p.execution_id = h.id AND p.error IS NOT NULL
)
DELETE FROM due_erasures AS d USING unnest($1::text[], $2::text[], $3::text[]) AS a(id, tenant_id, part)
WHERE d.execution_id = a.id AND d.tenant_id = a.tenant_id AND d.part = a.part`;

export async function eraseParts(
  client: PrismaClient,
  parts: Parameters<ErasureStore["erase"]>[0],
): Promise<void> {
  if (parts.length === 0) return;
  await client.$executeRawUnsafe(
    ERASE,
    parts.map(({ executionId }) => executionId),
    parts.map(({ tenantId }) => tenantId),
    parts.map(({ part }) => part),
  );
}

// In SQL, by the database's clock.
const DELETE = `/* erasures.delete_execution */
UPDATE executions SET erased_at = now(), erased = ${ALL_PARTS}, arguments = '{}', arguments_bytes = NULL, context = '{}', result = NULL,
  result_bytes = NULL, error = NULL,
  inline_tool = CASE WHEN inline_tool IS NOT NULL THEN '{}'::json END, callback = NULL, approval = NULL
WHERE id = $1 AND tenant_id = $2 AND finished_at IS NOT NULL AND erased_at IS NULL
RETURNING tool_id AS "toolId", tool_name AS "toolName"`;

/** Of an execution that this transaction, or one before it, has deleted. */
const IS_DELETED = `EXISTS (SELECT FROM executions WHERE id = $1 AND tenant_id = $2 AND erased_at IS NOT NULL)`;

/**
 * Each sees what was committed before it: a log that is being kept, or a delivery that is being made, is waited for by the
 * statement that deletes what it comes from or stands beside, and then seen by the next one. What comes later finds nothing.
 * In SQL, since nothing refers from these tables to the execution whose state is looked at.
 */
const BELONGINGS = [
  `DELETE FROM due_logs WHERE execution_id = $1 AND ${IS_DELETED}`,
  `DELETE FROM execution_logs WHERE execution_id = $1 AND ${IS_DELETED}`,
  `DELETE FROM deliveries WHERE execution_id = $1 AND ${IS_DELETED}`,
  `DELETE FROM version_dry_runs WHERE execution_id = $1 AND ${IS_DELETED}`,
  // The attempts stay, since their use counts in the tenant's usage.
  `UPDATE execution_attempts SET error = NULL WHERE execution_id = $1 AND error IS NOT NULL AND ${IS_DELETED}`,
  `DELETE FROM due_erasures WHERE execution_id = $1 AND part <> 'events' AND ${IS_DELETED}`,
  // Its last events may still be on their way.
  `INSERT INTO due_erasures AS d (execution_id, part, tenant_id, due_at)
  SELECT $1, 'events', $2, now() + interval '30 seconds' WHERE ${IS_DELETED}
  ON CONFLICT (execution_id, part) DO UPDATE SET due_at = excluded.due_at`,
];

export async function deleteExecution(
  client: PrismaClient,
  { executionId, tenantId }: Parameters<ErasureStore["deleteExecution"]>[0],
): ReturnType<ErasureStore["deleteExecution"]> {
  const [rows] = await client.$transaction([
    client.$queryRawUnsafe<{ toolId: string | null; toolName: string }[]>(DELETE, executionId, tenantId),
    ...BELONGINGS.map((statement) => client.$executeRawUnsafe(statement, executionId, tenantId)),
  ]);
  return rows[0] ?? null;
}
