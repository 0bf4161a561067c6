import {
  type ConfirmedCall,
  type JsonObject,
  type MetaToolApproval,
  type MetaToolApprovalKey,
  type MetaToolApprovalStore,
  type MetaToolOutcome,
  type MetaToolRun,
  type TenantPrincipal,
  type TenantStore,
  Fault,
} from "@bulkhead/core";

export interface DoDeps {
  metaToolApprovals: Pick<MetaToolApprovalStore, "claim" | "finish">;
  tenants: Pick<TenantStore, "find">;
  /**
   * Does the call and answers what the meta-tool does. `repeated`: it may have been done before. Doing it again must come to
   * the same.
   */
  doMetaTool(principal: TenantPrincipal, call: ConfirmedCall, repeated: boolean): Promise<JsonObject>;
  report(what: string, error: unknown): void;
}

/** How long a process may be at one call before another takes it over; a run is a few statements of the database. Milliseconds. */
const LEASE_MS = 30_000;
/** Runs of one call; what fails on our side so often has failed. */
const RUNS_MAX = 10;

/**
 * Does what was allowed, as the agent that asked, and keeps what came of it; nothing where it is done, or another process is
 * at it. A fault of the call is its outcome; one of ours is thrown while a later run may succeed.
 */
export async function doAllowed(deps: DoDeps, key: MetaToolApprovalKey): Promise<void> {
  const claimed = await deps.metaToolApprovals.claim(key, LEASE_MS);
  if (!claimed) return;
  await deps.metaToolApprovals.finish(key, claimed.run, await outcomeOf(deps, claimed));
}

async function outcomeOf(deps: DoDeps, { approval, run }: MetaToolRun): Promise<MetaToolOutcome> {
  try {
    return { result: await deps.doMetaTool(await agentOf(deps, approval), approval, run > 1) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { code, title, status, detail, retryable, errors } = error;
    if (status >= 500 && run < RUNS_MAX) throw error;
    return {
      problem: { code, title, status, detail, retryable, errors: errors.map((one) => ({ ...one })) },
    };
  }
}

/** The one that asked, with the limits that its tenant has now. */
async function agentOf(
  { tenants }: DoDeps,
  { tenantId, requestedBy, agentId }: MetaToolApproval,
): Promise<TenantPrincipal> {
  const tenant = await tenants.find(tenantId);
  // Of one that is being deleted nobody gets anything done any more.
  if (!tenant || tenant.deletingAt) throw new Fault("tenant.not_found");
  return {
    role: "agent",
    keyId: requestedBy,
    tenantId,
    agentId,
    limits: tenant.limits,
    limitsAsOf: tenant.updatedAt,
    approval: tenant.settings.approval,
    retention: tenant.settings.retention,
    applyDefaults: tenant.settings.applyDefaults,
  };
}
