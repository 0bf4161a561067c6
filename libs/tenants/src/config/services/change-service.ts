import {
  changedFields,
  type AuditDetails,
  type ServiceTerms,
  type StoredService,
  type TenantPrincipal,
} from "@bulkhead/core";
import { checkAllowedHosts, type SeenAs } from "@bulkhead/tools";
import type { ConfigDeps } from "../config-deps.ts";
import { changeSeenService } from "./change-seen-service.ts";
import { requireFitting } from "./fit-entries.ts";
import { fieldsOf, PLATFORM_TERMS, requireEmpty, requireOwnTerms } from "./kind-terms.ts";
import { requireMade, stateOf } from "./service-state.ts";

/** Undefined fields stay. */
export type UpdateServiceRequest = Partial<ServiceTerms>;

/**
 * Changes a service's own fields; its entries stay. Throws `request.invalid` for invalid hosts and terms that its kind
 * doesn't have, `config_service.in_use` if the entries would not fit any more, `config_service.not_found`, `….changed` and `….precondition_failed`.
 */
export async function updateService(
  deps: Pick<ConfigDeps, "configServices" | "audit" | "clock">,
  principal: TenantPrincipal,
  name: string,
  request: UpdateServiceRequest,
  seen: SeenAs = null,
): Promise<StoredService> {
  const { before, after } = await changeSeenService(deps, principal, { name, seen }, (found) =>
    updateFound(deps, found, request, seen),
  );
  await deps.audit.record(principal, principal.tenantId, {
    action: "config_service.updated",
    id: name,
    name: after.displayName,
    details: { fields: changedFields(request), ...widened(before, after) },
  });
  return after;
}

async function updateFound(
  deps: Pick<ConfigDeps, "configServices" | "clock">,
  before: StoredService,
  request: UpdateServiceRequest,
  seen: SeenAs,
): Promise<{ before: StoredService; after: StoredService }> {
  const { allowedHosts, kind = before.kind } = request;
  requireOwnTerms(kind, request);
  if (kind !== before.kind) requireEmpty(before);
  const change = {
    ...request,
    ...(kind === before.kind ? {} : fieldsOf(kind, request.configSchema)),
    ...(allowedHosts === undefined ? {} : { allowedHosts: checkAllowedHosts(allowedHosts) }),
  };
  const changed: StoredService = { ...before, ...change, kept: true, updatedAt: deps.clock() };
  if (kind !== before.kind && kind !== "api") Object.assign(changed, PLATFORM_TERMS);
  if (request.configSchema !== undefined || request.multiEntry !== undefined) requireFitting(changed);
  requireMade(await deps.configServices.change(stateOf(before), changed, changed.updatedAt), seen);
  return { before, after: { ...changed, revision: before.revision + 1 } };
}

/** The parts of a change that decide where secrets may go. */
function widened(before: StoredService, after: StoredService): AuditDetails {
  const { delivery, exchangeInBody, allowedHosts } = after;
  return {
    ...(delivery === before.delivery ? {} : { delivery }),
    ...(exchangeInBody === before.exchangeInBody ? {} : { exchangeInBody }),
    ...(String(allowedHosts) === String(before.allowedHosts) ? {} : { allowedHosts }),
  };
}

/** Deletes a service with all its entries for good. Tools that need it go on without. Throws as a change does. */
export async function deleteService(
  deps: Pick<ConfigDeps, "configServices" | "audit">,
  principal: TenantPrincipal,
  name: string,
  seen: SeenAs = null,
): Promise<void> {
  const service = await changeSeenService(deps, principal, { name, seen }, async (found) => {
    requireMade(await deps.configServices.delete(stateOf(found)), seen);
    return found;
  });
  await deps.audit.record(principal, principal.tenantId, {
    action: "config_service.deleted",
    id: name,
    name: service.displayName,
    details: { entries: service.entries.map(({ label }) => label) },
  });
}
