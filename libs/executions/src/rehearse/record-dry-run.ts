import {
  stringifyJson,
  valueOf,
  DRY_RUN_RESULT_CHARS_MAX,
  type AttemptKey,
  type DryRunEffect,
  type DryRunStore,
  type Ending,
} from "@bulkhead/core";
import type { Report } from "../end/report.ts";

export interface RecordDeps {
  dryRuns: Pick<DryRunStore, "record">;
  report: Report;
}

/**
 * Puts down what was seen of a dry run, before it ends: whoever sees its end finds it. Never rejects: what could not be
 * put down is reported, and the run stands as its execution does.
 */
export async function recordDryRun(
  { dryRuns, report }: RecordDeps,
  { executionId }: Pick<AttemptKey, "executionId">,
  { status, result, error }: Pick<Ending, "status" | "result" | "error">,
  effects: DryRunEffect[],
): Promise<void> {
  const json = stringifyJson(result);
  const truncated = json.length > DRY_RUN_RESULT_CHARS_MAX;
  const kept = truncated ? json.slice(0, DRY_RUN_RESULT_CHARS_MAX).toWellFormed() : valueOf(result);
  await dryRuns
    .record(executionId, { status, result: kept, truncated, error, effects })
    .catch((cause: unknown) => report("recording a dry run failed", cause));
}
