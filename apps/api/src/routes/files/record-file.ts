import type { AuditLog } from "@bulkhead/core";
import type { FilesDeps, SeenFile } from "@bulkhead/tools/files";
import type { WorkspaceAsked } from "../../edge/workspace-asker.ts";

export type FileRouteDeps = FilesDeps & { audit: AuditLog };

interface FileDeed {
  action: "file.written" | "file.moved" | "file.deleted";
  path: string;
  file?: SeenFile | null;
  details?: Record<string, string | number>;
}

/** Records what a person has done; agents' writes are told by their files, as those of runs. */
export async function recordFile(
  { audit }: Pick<FileRouteDeps, "audit">,
  { asker: { workspace }, principal }: WorkspaceAsked,
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
