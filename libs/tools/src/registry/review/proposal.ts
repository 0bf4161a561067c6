import type { Proposer, TenantPrincipal, Tool, ToolDefinition } from "@bulkhead/core";

/** A version that was stored to wait for a person. */
export interface Proposal {
  tool: Pick<Tool, "id" | "tenantId" | "name" | "applyDefaults">;
  version: number;
  definition: ToolDefinition;
}

/** The proposer of a version. */
export const proposerOf = (
  { keyId, agentId }: TenantPrincipal,
  conversationId: string | undefined,
): Proposer => ({ keyId, agentId, conversationId: conversationId ?? null });

/** The version that waits for a person; null where none does. */
export const waitingVersionOf = ({ status, version, pendingVersion }: Tool): number | null =>
  pendingVersion ?? (status === "pending_approval" ? version : null);
