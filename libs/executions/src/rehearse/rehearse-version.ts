import { DRY_RUNS_MAX, type DryRunStore, type JsonObject, type TenantPrincipal, Fault } from "@bulkhead/core";
import { takeArguments } from "../submit/take-arguments.ts";
import {
  makeArguments,
  newRehearsal,
  NO_EXAMPLE,
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
  const { version } = rehearsal;
  const run = newRehearsal(
    deps,
    principal,
    rehearsal,
    await chooseArguments(deps, principal, rehearsal, given),
  );
  if (!(await deps.dryRuns.insert(run, DRY_RUNS_MAX))) {
    throw new Fault("evidence.too_many", {
      detail: `A version is tried out ${DRY_RUNS_MAX} times at most; GET …/versions/${version}/evidence shows how.`,
    });
  }
  await submitRehearsal(deps, principal, rehearsal, run);
}

/** Takes the arguments that a person gave, or makes some. A version is not tried with arguments that its schema refuses. */
async function chooseArguments(
  deps: RehearseDeps,
  principal: TenantPrincipal,
  rehearsal: Rehearsal,
  given: JsonObject | null,
): Promise<{ given: JsonObject } | { made: JsonObject }> {
  const { tool, version, definition } = rehearsal;
  if (given) {
    const key = `example/${tool.id}@${version}`;
    const { parameters } = definition;
    const { applyDefaults } = tool;
    return { given: await takeArguments(deps, principal, key, { parameters, applyDefaults }, given) };
  }
  const made = await makeArguments(deps, principal, rehearsal);
  if (made) return { made };
  throw new Fault("tool.arguments_invalid", {
    detail: NO_EXAMPLE,
    errors: [{ path: "arguments", message: "is required: none could be made from the schema" }],
  });
}
