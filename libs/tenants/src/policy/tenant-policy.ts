import {
  type ApprovalSettings,
  type AuditLog,
  type Policy,
  type PolicyDocument,
  type PolicyStore,
  type SignalBus,
  type TenantPrincipal,
  type ToolCatalogue,
  Fault,
} from "@bulkhead/core";
import { changedPaths, checkPolicy, NATIVE_TOOLS, type PolicyRemark } from "@bulkhead/policy";

export interface PolicyDeps {
  policies: PolicyStore;
  catalogue: Pick<ToolCatalogue, "names">;
  bus: Pick<SignalBus, "publish">;
  audit: AuditLog;
}

/** Faults and warnings of one answer, and changed places of one audit entry; more help nobody. */
const REMARKS_MAX = 50;

/** A tenant's tools, whichever agent's they are. */
const OF_ALL = { agentId: null, seesAll: true } as const;

/** The document in force, and its version; version 0 and the empty document where there is none. */
export async function getPolicy(
  { policies }: Pick<PolicyDeps, "policies">,
  { tenantId }: TenantPrincipal,
): Promise<Policy> {
  const policy = await policies.find(tenantId);
  if (!policy) throw new Fault("tenant.not_found");
  return policy;
}

/**
 * Puts a document in the place of the tenant's; it holds from the next request on, everywhere. `seen` are versions one of which
 * it must still have (null: whichever). Throws `request.invalid` with the place of every name that means nothing, and
 * `policy.precondition_failed`.
 */
export async function putPolicy(
  deps: PolicyDeps,
  principal: TenantPrincipal,
  document: PolicyDocument,
  seen: readonly number[] | null,
): Promise<{ version: number; warnings: PolicyRemark[] }> {
  const { tenantId } = principal;
  const warnings = await requirePolicy(deps, tenantId, document, "");
  const put = await deps.policies.put(tenantId, document, seen);
  if (!put) throw notAsSeen();
  await deps.bus.publish({ type: "forget", kind: "tenant", id: tenantId, tenantId });
  const changed = changedPaths(put.before, document);
  await deps.audit.record(principal, tenantId, {
    action: "policy.updated",
    id: tenantId,
    details: {
      version: put.version,
      changed: changed.slice(0, REMARKS_MAX),
      ...(changed.length > REMARKS_MAX ? { changedInAll: changed.length } : {}),
    },
  });
  return { version: put.version, warnings };
}

/** The entries of a document that mean no tool. Throws `request.invalid` for names that mean nothing; `at` is its place. */
export async function requirePolicy(
  { catalogue }: Pick<PolicyDeps, "catalogue">,
  tenantId: string,
  document: PolicyDocument,
  at: string,
): Promise<PolicyRemark[]> {
  const { faults, warnings } = checkPolicy(document, await catalogue.names(tenantId, OF_ALL));
  const errors = faults.slice(0, REMARKS_MAX).map(({ path, message }) => ({ path: `${at}${path}`, message }));
  const [first] = errors;
  if (first)
    throw new Fault("request.invalid", {
      detail: `The policy is not valid: ${first.path}: ${first.message}.`,
      errors,
    });
  return warnings.slice(0, REMARKS_MAX);
}

/** Where approvals name a tool that is not there; the word holds for one that comes. `at` is the place of the settings. */
export async function warnOfApprovals(
  { catalogue }: Pick<PolicyDeps, "catalogue">,
  tenantId: string,
  { tools = {}, rules = [] }: Partial<Pick<ApprovalSettings, "tools" | "rules">> = {},
  at: string,
): Promise<{ warnings?: PolicyRemark[] }> {
  const named = [
    ...Object.keys(tools).map((name) => ({ path: `${at}tools.${name}`, name })),
    ...rules.map(({ tool }, index) => ({ path: `${at}rules.${index}.tool`, name: tool })),
  ];
  if (named.length === 0) return {};
  const there = await catalogue.names(tenantId, OF_ALL);
  const known = new Set([...NATIVE_TOOLS, ...there.flatMap(({ id, name }) => [id, name])]);
  const warnings = named.flatMap(({ path, name }) =>
    known.has(name) ? [] : [{ path, message: `"${name}" means no tool that is there` }],
  );
  return warnings.length === 0 ? {} : { warnings: warnings.slice(0, REMARKS_MAX) };
}

const notAsSeen = () =>
  new Fault("policy.precondition_failed", {
    detail: "The policy was changed since the version that If-Match names; read it again, then decide anew.",
  });
