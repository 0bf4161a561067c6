import { DRY_RUNS_MAX, type DryRunStore, type JsonObject, type TenantPrincipal } from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { requireValidArguments } from "../submission/check-call.ts";
import {
  newRehearsal,
  submitRehearsal,
  type Rehearsal,
  type SubmitRehearsalDeps,
} from "./submit-rehearsal.ts";

export type RehearseDeps = SubmitRehearsalDeps & { dryRuns: Pick<DryRunStore, "insert"> };

/**
 * Accepts a dry run that somebody asked for. Throws `evidence.too_many`, `tool.arguments_invalid`, and what a submission
 * throws.
 */
export async function rehearseVersion(
  deps: RehearseDeps,
  principal: TenantPrincipal,
  rehearsal: Rehearsal,
  given: JsonObject | null,
): Promise<void> {
  const { version, definition } = rehearsal;
  const run = newRehearsal(deps, principal, rehearsal, given);
  // What a person gave and the schema refuses is no try of the version.
  if (given)
    await requireValidArguments(deps, principal, `dry/${run.executionId}`, definition.parameters, given);
  if (!(await deps.dryRuns.insert(run, DRY_RUNS_MAX))) {
    throw new Fault("evidence.too_many", {
      detail: `A version is tried out ${DRY_RUNS_MAX} times at most; GET …/versions/${version}/evidence shows how.`,
    });
  }
  await submitRehearsal(deps, principal, rehearsal, run);
}
