import {
  BY_PLATFORM,
  contentHash,
  type AuditDeed,
  type McpServerKey,
  type TenantNews,
  type Tool,
  type ToolChange,
} from "@bulkhead/core";
import type { ToolDeps } from "../registry/tool-deps.ts";

/** A server's tool before and after a sync, and what was changed of it. */
export interface Synced {
  before: Tool | null;
  after: Tool | null;
  change: ToolChange;
}

type Told = "created" | "deleted" | "version_proposed" | "disabled" | "enabled" | "updated";

/** Records and announces what a sync has stored, in the platform's name. */
export async function tellSync(
  { bus, tenantEvents, audit }: Pick<ToolDeps, "bus" | "tenantEvents" | "audit">,
  { tenantId, name: server }: McpServerKey,
  synced: readonly Synced[],
): Promise<void> {
  if (synced.length === 0) return;
  const told = synced.flatMap((one) => toldOf(one).map((what) => ({ ...one, what })));
  await audit.record(null, tenantId, ...told.map(({ what, ...one }) => deedOf(what, server, one)));
  for (const { before } of synced)
    if (before !== null) await bus.publish({ type: "forget", kind: "tool", id: before.id, tenantId });
  await bus.publish({ type: "forget", kind: "tools", id: tenantId, tenantId });
  for (const { what, ...one } of told) {
    const news = newsOf(what, one);
    if (news !== null) await tenantEvents.publish(tenantId, news);
  }
}

/** What has happened to it; one that was active and is changed is proposed anew and disabled. */
function toldOf({ before, after, change: { definition, review, move } }: Synced): Told[] {
  if (before === null) return ["created"];
  if (after === null) return ["deleted"];
  const isProposed = definition !== undefined && review !== undefined && after.pendingVersion !== null;
  const moved =
    move && before.status !== after.status ? (move.to === "active" ? "enabled" : "disabled") : null;
  const told: Told[] = [
    ...(isProposed ? ["version_proposed" as const] : []),
    ...(moved ? [moved as Told] : []),
  ];
  return told.length > 0 ? told : ["updated"];
}

function deedOf(what: Told, server: string, { before, after }: Synced): AuditDeed {
  const tool = theOne(before, after);
  const { version, status, statusReason, pendingVersion } = tool;
  return {
    action: `tool.${what}`,
    id: tool.id,
    name: tool.name,
    beforeHash: before?.contentHash ?? null,
    afterHash: after?.contentHash ?? null,
    details: {
      version,
      status,
      mcpServer: server,
      ...(statusReason === null ? {} : { reason: statusReason }),
      ...(what === "version_proposed" ? { proposedVersion: pendingVersion } : {}),
    },
  };
}

function newsOf(what: Told, { before, after, change: { definition } }: Synced): TenantNews | null {
  const { id, name, version, status, agentId, pendingVersion } = theOne(before, after);
  const named = { toolId: id, toolName: name, by: BY_PLATFORM };
  if (what !== "version_proposed")
    return { type: `tool.${what}`, data: { ...named, toolVersion: version, status }, agentId };
  if (definition === undefined || pendingVersion === null) return null;
  const data = { ...named, toolVersion: pendingVersion, contentHash: contentHash(definition) };
  return { type: "tool.version_proposed", data, agentId };
}

function theOne(before: Tool | null, after: Tool | null): Tool {
  const tool = after ?? before;
  if (tool === null) throw new TypeError("a sync tells of a tool");
  return tool;
}
