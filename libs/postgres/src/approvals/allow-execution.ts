import type { Admission, ApprovalStore, ExecutionKey, NewRule, NewStanding } from "@bulkhead/core";
import {
  ADMISSION_COLUMNS,
  ADMISSION_JOINS,
  toAdmission,
  type AdmissionRow,
} from "../executions/admission-row.ts";
import type { Prisma, PrismaClient } from "../generated/client.ts";
import { addRule } from "./add-rule.ts";
import { rememberStanding } from "./standing-approvals.ts";

/** SQL of what is put on the row with an answer; `answer`, `by` and what more there is, by name, are SQL too. */
export const answered = (answer: string, by: string, more: Record<string, string> = {}): string =>
  `e.approval || jsonb_build_object('answer', ${answer}, 'by', ${by},
    'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')${Object.entries(more)
      .map(([name, value]) => `, '${name}', ${value}`)
      .join("")})`;

// In SQL, since all times are counted anew by the database's clock. Its time begins with the answer, or with the end of its
// delay where that is later: from here on the row is as one that was accepted now, also for who measures how long
// executions wait for a worker. A replay reads its timeoutMs from between not_before and deadline_at.
const ALLOW = `/* approvals.allow */
WITH allowed AS (
  UPDATE executions AS e SET status = 'queued', approval = ${answered("$3::text", "$4::text", {
    // As text: jsonb takes neither \\u0000 nor the order of keys.
    askedJson: "CASE WHEN $5::text IS NOT NULL THEN e.arguments::text END",
  })},
    arguments = coalesce($5::text::json, e.arguments),
    arguments_bytes = CASE WHEN $5::text IS NULL THEN e.arguments_bytes ELSE octet_length($5::text) END, queued_at = now(),
    accepted_at = now(),
    not_before = greatest(e.not_before, now()),
    deadline_at = greatest(e.not_before, now()) + (e.approval->>'timeoutMs')::float8 * interval '1 ms'
  WHERE e.id = $1 AND e.tenant_id = $2 AND e.status = 'awaiting_approval' AND e.deadline_at > now()
  RETURNING e.*
)
SELECT ${ADMISSION_COLUMNS} FROM allowed AS e ${ADMISSION_JOINS}`;

type AllowedAs = Parameters<ApprovalStore["allow"]>[1];

/** How long the whole transaction may take; milliseconds. */
const TRANSACTION_MS_MAX = 15_000;

/** Null for whoever was not the first to answer in time. */
export function allowExecution(
  client: PrismaClient,
  key: ExecutionKey,
  answer: AllowedAs,
  standing: NewStanding | NewRule | null,
  standingMax: number,
): Promise<Admission | null> {
  if (standing === null) return allow(client, key, answer);
  return client.$transaction(
    async (transaction) => {
      const admission = await allow(transaction, key, answer);
      if (!admission) return null;
      if ("standingId" in standing) await rememberStanding(transaction, key, answer, standing, standingMax);
      else await addRule(transaction, key.tenantId, standing);
      return admission;
    },
    { timeout: TRANSACTION_MS_MAX },
  );
}

async function allow(
  client: Prisma.TransactionClient,
  { tenantId, executionId }: ExecutionKey,
  { answer, by, arguments: changed }: AllowedAs,
): Promise<Admission | null> {
  const [row] = await client.$queryRawUnsafe<AdmissionRow[]>(
    ALLOW,
    executionId,
    tenantId,
    answer,
    by,
    changed === undefined ? null : JSON.stringify(changed),
  );
  return row ? toAdmission(row) : null;
}
