import type { DataDocument } from "@bulkhead/contracts";
import {
  agentOf,
  type AuditLog,
  type DataDocument as Kept,
  type Principal,
  type TenantPrincipal,
} from "@bulkhead/core";
import { requireTenant } from "@bulkhead/tenants";
import type { DataAsker, DataDeps } from "@bulkhead/tools/data";
import type { z } from "zod";
import { invalidField } from "../../edge/validate.ts";

export type DataRouteDeps = DataDeps & { audit: AuditLog };

interface Said {
  agentId?: string | undefined;
  userId?: string | undefined;
}

/** Who asks for whose data. Throws `request.invalid` where an agent's key names another agent. */
export function askerOf(
  principal: Principal,
  action: "data.read" | "data.write",
  said: Said,
): { asker: DataAsker; principal: TenantPrincipal } {
  const tenants = requireTenant(principal, action);
  const { tenantId, role, keyId, asks } = tenants;
  const agentId = agentOf(tenants, said.agentId);
  if (said.agentId !== undefined && said.agentId !== agentId)
    throw invalidField(
      "agentId",
      "must be the key's own agent, or left out",
      "The query is not valid: agentId",
    );
  const workspace = { tenantId, agentId, userId: said.userId ?? asks?.userId ?? null };
  return { asker: { workspace, by: keyId, seesAll: role !== "agent" }, principal: tenants };
}

/** Records what a person has done; agents' writes are told by their documents, as those of runs. */
export async function recordDocument(
  { audit }: Pick<DataRouteDeps, "audit">,
  { asker: { workspace }, principal }: ReturnType<typeof askerOf>,
  action: "data.written" | "data.deleted",
  { collection, id, version }: { collection: string; id: string; version?: number },
): Promise<void> {
  if (principal.role === "agent") return;
  const { tenantId, agentId, userId } = workspace;
  await audit.record(principal, tenantId, {
    action,
    id: `${collection}/${id}`,
    name: collection,
    details: {
      document: id,
      ...(version !== undefined && { version }),
      ...(agentId !== null && { agentId }),
      ...(userId !== null && { userId }),
    },
  });
}

export const presentDocument = (document: Kept): z.infer<typeof DataDocument> => ({
  ...document,
  createdAt: document.createdAt.toISOString(),
  updatedAt: document.updatedAt.toISOString(),
  expiresAt: document.expiresAt?.toISOString() ?? null,
});

export const tagOf = ({ version }: Pick<Kept, "version">): string => `"${version}"`;

/** A tag that is no version is none that a document has. */
export const versionsOf = (tags: readonly string[] | null): number[] | null =>
  tags?.map((tag) => (/^[1-9]\d{0,14}$/.test(tag) ? Number(tag) : 0)) ?? null;
