import type { DataDocument } from "@bulkhead/contracts";
import type { AuditLog, DataDocument as Kept } from "@bulkhead/core";
import type { DataDeps } from "@bulkhead/tools/data";
import type { z } from "zod";
import type { WorkspaceAsked } from "../../edge/workspace-asker.ts";

export type DataRouteDeps = DataDeps & { audit: AuditLog };

/** Records what a person has done; agents' writes are told by their documents, as those of runs. */
export async function recordDocument(
  { audit }: Pick<DataRouteDeps, "audit">,
  { asker: { workspace }, principal }: WorkspaceAsked,
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
