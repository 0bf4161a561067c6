import type {
  AuditLog,
  Clock,
  SchemaChecker,
  SignalBus,
  TenantPrincipal,
  TenantEvents,
  ToolServices,
  ToolStore,
  TypeStripper,
  Vault,
} from "@bulkhead/core";

import type { Proposal } from "./review/proposal.ts";

/** The dependencies of the registry's use cases. */
export interface ToolDeps {
  tools: ToolStore;
  schemas: Pick<SchemaChecker, "checkSchema">;
  stripper: Pick<TypeStripper, "strip">;
  vault: Pick<Vault, "seal" | "open">;
  bus: Pick<SignalBus, "publish">;
  tenantEvents: Pick<TenantEvents, "publish">;
  audit: AuditLog;
  toolServices: ToolServices;
  /** Starts a dry run of a waiting version, for its reviewers; never rejects. */
  rehearse: (principal: TenantPrincipal, proposal: Proposal) => Promise<void>;
  clock: Clock;
}
