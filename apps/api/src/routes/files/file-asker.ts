import { agentOf, type AuditLog, type Principal, type TenantPrincipal } from "@bulkhead/core";
import { requireTenant } from "@bulkhead/tenants";
import type { FileAsker, FilesDeps, SeenFile } from "@bulkhead/tools/files";
import { invalidField } from "../../edge/validate.ts";

export type FileRouteDeps = FilesDeps & { audit: AuditLog };

interface Said {
  agentId?: string | undefined;
  userId?: string | undefined;
}

/** Who asks for whose files. Throws `request.invalid` where an agent's key names another agent. */
export function askerOf(
  principal: Principal,
  action: "files.read" | "files.write",
  said: Said,
): { asker: FileAsker; principal: TenantPrincipal } {
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

interface FileDeed {
  action: "file.written" | "file.moved" | "file.deleted";
  path: string;
  file?: SeenFile | null;
  details?: Record<string, string | number>;
}

/** Records what a person has done; agents' writes are told by their files, as those of runs. */
export async function recordFile(
  { audit }: Pick<FileRouteDeps, "audit">,
  { asker: { workspace }, principal }: ReturnType<typeof askerOf>,
  { action, path, file = null, details = {} }: FileDeed,
): Promise<void> {
  if (principal.role === "agent") return;
  const { tenantId, agentId, userId } = workspace;
  await audit.record(principal, tenantId, {
    action,
    id: file?.fileId ?? path,
    name: path,
    afterHash: file?.hash ?? null,
    details: { ...details, ...(agentId !== null && { agentId }), ...(userId !== null && { userId }) },
  });
}
