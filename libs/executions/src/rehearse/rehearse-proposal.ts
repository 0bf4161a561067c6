import {
  AUTOMATIC_DRY_RUNS_MAX,
  type DryRunRefusal,
  type DryRunStore,
  type JsonObject,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { withdrawExecution, type EndDeps } from "../end/end-execution.ts";
import {
  makeArguments,
  newRehearsal,
  NO_EXAMPLE,
  submitRehearsal,
  type Rehearsal,
  type SubmitRehearsalDeps,
} from "./submit-rehearsal.ts";

export type RehearseProposalDeps = SubmitRehearsalDeps &
  EndDeps & { dryRuns: Pick<DryRunStore, "insertAutomatic" | "listSuperseded"> };

/**
 * Accepts a dry run of a version that came to wait, which nobody asked for, and cancels those not begun of versions whose
 * place it took. While `AUTOMATIC_DRY_RUNS_MAX` wait or run in the tenant it is put down as not run, with what to do; so it is where no
 * arguments could be made.
 * Throws what a submission throws.
 */
export async function rehearseProposal(
  deps: RehearseProposalDeps,
  principal: TenantPrincipal,
  rehearsal: Rehearsal,
): Promise<void> {
  const { tool, version } = rehearsal;
  // First: their places are the newer version's.
  await cancelSuperseded(deps, principal, tool.id);
  const { made, refusal } = await makeOrTell(deps, principal, rehearsal);
  const run = newRehearsal(deps, principal, rehearsal, { made });
  const bound = { inFlightMax: AUTOMATIC_DRY_RUNS_MAX, busy: busyFor(tool.id, version) };
  const outcome = await deps.dryRuns.insertAutomatic(run, bound);
  if (outcome !== "inserted") return;
  if (refusal) await deps.dryRuns.refuse(run.executionId, refusal);
  else await submitRehearsal(deps, principal, rehearsal, run);
}

/** Arguments, and why the version is not tried out with them, where that is so. */
async function makeOrTell(
  deps: RehearseProposalDeps,
  principal: TenantPrincipal,
  rehearsal: Rehearsal,
): Promise<{ made: JsonObject; refusal: DryRunRefusal | null }> {
  try {
    const made = await makeArguments(deps, principal, rehearsal);
    return made
      ? { made, refusal: null }
      : { made: {}, refusal: { code: "tool.arguments_invalid", message: NO_EXAMPLE } };
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    return { made: {}, refusal: { code: cause.code, message: cause.detail } };
  }
}

async function cancelSuperseded(
  deps: RehearseProposalDeps,
  { tenantId }: TenantPrincipal,
  toolId: string,
): Promise<void> {
  for (const executionId of await deps.dryRuns.listSuperseded(tenantId, toolId))
    await withdrawExecution(deps, { tenantId, executionId }, SUPERSEDED);
}

const SUPERSEDED = "A newer version took the place of this one before it was tried out.";

const busyFor = (toolId: string, version: number): DryRunRefusal => ({
  code: "evidence.busy",
  message: `${AUTOMATIC_DRY_RUNS_MAX} dry runs of the tenant's versions were waiting or running when this version came. Ask for a dry run of it: POST /api/v1/custom-tools/${toolId}/versions/${version}/evidence.`,
});
