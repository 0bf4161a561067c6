import type { AttemptKey, ClaimWithEnd, Ending, Execution } from "@bulkhead/core";
import { columns } from "../columns.ts";
import type { Statements } from "../statements.ts";
import { IN_BATCH, is } from "./by-id.ts";
import { COUNT_USAGE } from "./count-usage.ts";
import { BEGUN_FIELDS, toExecution, type ExecutionRow } from "./execution-row.ts";
import { byPlace, inIdOrder } from "./id-order.ts";

/** An end with its documents as JSON, which is made once, by its caller. */
export interface Finish {
  attempt: AttemptKey;
  ending: Ending;
  endEventId: string;
  resultJson: string;
  errorJson: string | null;
  usageJson: string;
  timingsJson: string;
  /** Null for who holds it already. */
  claim: ClaimWithEnd | null;
}

// Columns that the caller has itself, above all the result, are not sent back.
const finishSql = (name: string, result: string): string => `/* ${name} */
WITH ended AS (
  UPDATE executions AS e SET status = f.status, result = ${result}::json, result_bytes = octet_length(${result}), error = f.error::json,
    usage = f.usage::json, timings = f.timings::json, end_event_id = f.end_event_id, ended_by = f.ended_by,
    finished_at = now(), lease_until = NULL, attempt = f.attempt, worker_id = coalesce(f.claimed_by, e.worker_id),
    started_at = CASE WHEN f.claimed_by IS NULL THEN e.started_at ELSE now() - f.ran_ms * interval '1 ms' END
  FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::text[], $12::float8[], $13::int[])
    AS f(id, tenant_id, attempt, status, result, error, usage, timings, end_event_id, ended_by, claimed_by, ran_ms, place)
  WHERE e.id = f.id AND ${IN_BATCH} AND e.tenant_id = f.tenant_id
    -- Held already, or claimed by this very statement: what another has claimed meanwhile is neither.
    AND e.attempt = CASE WHEN f.claimed_by IS NULL THEN f.attempt ELSE f.attempt - 1 END
    AND ${is("e.status", "CASE WHEN f.claimed_by IS NULL THEN 'running' ELSE 'queued' END")}
  RETURNING f.place, e.id, e.tenant_id, e.tool_id, e.tool_name, e.tool_version, e.context, e.arguments, e.created_at,
    e.started_at, e.finished_at, e.deadline_at, e.attempt, e.trace_id, e.source, e.client, e.requested_by,
    e.parent_id, e.priority, e.not_before, e.replay_of, e.schedule_id, e.approval
), ${COUNT_USAGE}
SELECT e.place, e.id AS "executionId", ${columns("e", BEGUN_FIELDS)} FROM ended AS e`;

export const FINISH = finishSql("executions.finish", "f.result");
/** For one execution: an element of an array would be escaped letter by letter, a value of its own is sent as it is. */
export const FINISH_LARGE = finishSql("executions.finish_large", "$14::text");

type FinishedRow = { place: number } & Omit<
  ExecutionRow,
  "status" | "result" | "error" | "usage" | "timings" | "endEventId" | "endedBy" | "erased"
>;

/** Ends what its holder still holds and counts the tools' uses, in one statement; null for the others. */
export const finishExecutions = (statements: Statements, batch: Finish[]): Promise<(Execution | null)[]> =>
  finishAll(statements, FINISH, batch, ({ resultJson }) => resultJson);

/** The same for a batch of one, whose result may be as large as it likes. */
export const finishLarge = (statements: Statements, batch: Finish[]): Promise<(Execution | null)[]> =>
  finishAll(statements, FINISH_LARGE, batch, () => null, batch[0]?.resultJson);

async function finishAll(
  statements: Statements,
  sql: string,
  batch: Finish[],
  resultInBatch: (finish: Finish) => string | null,
  ...more: unknown[]
): Promise<(Execution | null)[]> {
  const items = inIdOrder(batch, (finish) => finish.attempt.executionId);
  const column = <T>(of: (finish: Finish) => T): T[] => items.map(({ item }) => of(item));
  const rows = await statements.$queryRawUnsafe<FinishedRow[]>(
    sql,
    column(({ attempt }) => attempt.executionId),
    column(({ attempt }) => attempt.tenantId),
    column(({ attempt }) => attempt.attempt),
    column(({ ending }) => ending.status),
    column(resultInBatch),
    column(({ errorJson }) => errorJson),
    column(({ usageJson }) => usageJson),
    column(({ timingsJson }) => timingsJson),
    column(({ endEventId }) => endEventId),
    column(({ ending }) => ending.endedBy),
    column(({ claim }) => claim?.workerId ?? null),
    column(({ claim }) => claim?.ranMs ?? null),
    items.map(({ place }) => place),
    ...more,
  );
  const answers = rows.flatMap(({ place, ...row }) => {
    const finish = batch[place];
    return finish ? [{ place, answer: toEnded(row, finish) }] : [];
  });
  return byPlace(batch.length, answers);
}

function toEnded(row: Omit<FinishedRow, "place">, { ending, endEventId }: Finish): Execution {
  const { status, result, error, usage, timings, endedBy } = ending;
  const bare = {
    ...row,
    status,
    result: null,
    error: null,
    usage: null,
    timings: null,
    endEventId,
    endedBy,
    erased: null,
  };
  return { ...toExecution(bare), result, error, usage, timings };
}
