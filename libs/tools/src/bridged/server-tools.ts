import {
  definitionOf,
  Fault,
  MCP_SERVER_OFF,
  type KnownMcpTool,
  type McpServerStore,
  type McpServerTool,
  type McpServerTools,
  type McpToolCounts,
  type McpToolStanding,
  type McpTools,
  type TenantPrincipal,
  type Tool,
  type ToolStore,
  type WaitingOffer,
} from "@bulkhead/core";
import { requireNotBridged } from "../registry/bridged-rules.ts";
import { moveTool } from "../registry/change-status.ts";
import { decideVersion } from "../registry/review/decide-version.ts";
import { waitingVersionOf } from "../registry/review/proposal.ts";
import { changedMeanwhile } from "../registry/seen-state.ts";
import { tellChange } from "../registry/tell-change.ts";
import type { ToolDeps } from "../registry/tool-deps.ts";
import { requireVersion } from "../versions/read-versions.ts";
import { followingOf } from "./offered-tool.ts";
import { GONE, isDisabledBySync, RESTLESS } from "./plan-sync.ts";
import { switchServersTools } from "./switch-servers-tools.ts";

export interface ServerToolsDeps extends Pick<ToolDeps, "bus" | "tenantEvents" | "audit" | "toolServices"> {
  tools: ToolStore;
  servers: Pick<McpServerStore, "find">;
  mcpTools: Pick<McpTools, "ofServer" | "counted">;
}

/** What people see of the tools of a server, and what they say about them. */
export function openMcpServerTools(deps: ServerToolsDeps): McpServerTools {
  const one = async (principal: TenantPrincipal, server: string, tool: string): Promise<KnownMcpTool> => {
    const known = await deps.mcpTools.ofServer({ tenantId: principal.tenantId, name: server });
    const found = known.find((each) => each.tool.mcp?.tool === tool);
    if (found) return found;
    throw new Fault("tool.not_found", {
      detail: `The server "${server}" has not offered a tool of this name.`,
    });
  };
  const present = (tool: Tool) => presented(deps, tool);
  return {
    async counts(tenantId) {
      const counts = new Map<string, McpToolCounts>();
      for (const { server, count, ...tool } of await deps.mcpTools.counted(tenantId)) {
        const { all = 0, waiting = 0 } = counts.get(server) ?? {};
        const isWaiting = WAITING.includes(standingOf(tool));
        counts.set(server, { all: all + count, waiting: isWaiting ? waiting + count : waiting });
      }
      return counts;
    },
    async list(tenantId, server) {
      const known = await deps.mcpTools.ofServer({ tenantId, name: server });
      return Promise.all(known.map(({ tool }) => present(tool)));
    },
    async approve(principal, server, tool, version) {
      return present(await approveTool(deps, principal, await one(principal, server, tool), version));
    },
    async block(principal, server, tool) {
      return present(await blockTool(deps, principal, (await one(principal, server, tool)).tool));
    },
    switchAll: (server, isOn) => switchServersTools(deps, server, isOn),
  };
}

async function presented(deps: ServerToolsDeps, tool: Tool): Promise<McpServerTool> {
  const { id, name, alias, mcp, status, statusReason, version } = tool;
  const { title, description, annotations, requiresApproval } = tool;
  return {
    tool: mcp?.tool ?? name,
    name,
    alias,
    toolId: id,
    standing: standingOf(tool),
    reason: status === "disabled" ? statusReason : null,
    version,
    title,
    description,
    annotations,
    requiresApproval,
    waiting: await waitingOffer(deps, tool),
  };
}

async function waitingOffer(deps: ServerToolsDeps, tool: Tool): Promise<WaitingOffer | null> {
  const waiting = waitingVersionOf(tool);
  if (waiting === null) return null;
  const { version, pinned, parameters, outputSchema } =
    waiting === tool.version ? tool : await requireVersion(deps, tool, waiting);
  const { title = null, description = "", annotations = null } = pinned ?? {};
  return { version, title, description, annotations, parameters, outputSchema };
}

/** What a person has to look at before it is called. */
const WAITING: readonly McpToolStanding[] = ["new", "changed"];

function standingOf(tool: Pick<Tool, "status" | "statusReason">): McpToolStanding {
  if (tool.status === "active") return "active";
  if (tool.status === "pending_approval") return "new";
  if (!isDisabledBySync(tool)) return "blocked";
  if (tool.statusReason === MCP_SERVER_OFF) return "off";
  return tool.statusReason === GONE ? "gone" : "changed";
}

/**
 * Approves what waits; else lets a tool run again that people took away, or the version that they rejected. Under a disabled
 * server it is approved, and active when that is enabled.
 */
async function approveTool(
  deps: ServerToolsDeps,
  principal: TenantPrincipal,
  { tool, newest }: KnownMcpTool,
  version: number | undefined,
): Promise<Tool> {
  const waiting = waitingVersionOf(tool);
  if (waiting !== null) {
    const decided = await decideVersion(deps, principal, tool.id, { to: "approved", version, seen: null });
    const isSettled = decided.status === "active" || decided.statusReason === MCP_SERVER_OFF;
    return isSettled ? decided : moveTool(deps, principal, tool.id, "enable");
  }
  if (tool.status === "active") return tool;
  if (tool.status === "rejected")
    requireNotBridged(
      tool,
      `it was rejected before it ever ran. Delete it (DELETE /api/v1/custom-tools/${tool.id}) and refresh the server: it waits anew then.`,
    );
  // For these it was taken away as it was approved, whatever else was rejected before.
  const isKept = [GONE, RESTLESS, MCP_SERVER_OFF].some((reason) => reason === tool.statusReason);
  const isRejected = newest.state === "rejected" && !isKept;
  return isRejected && isDisabledBySync(tool)
    ? takeRejected(deps, principal, tool, newest.version)
    : moveTool(deps, principal, tool.id, "enable");
}

/** A person's second thought: what was rejected runs as a version of its own, since a rejected one never does. */
async function takeRejected(
  deps: ServerToolsDeps,
  principal: TenantPrincipal,
  before: Tool,
  rejected: number,
): Promise<Tool> {
  const version = await requireVersion(deps, before, rejected);
  const after = await deps.tools.update(before.tenantId, before.id, before.revision, {
    definition: definitionOf(version),
    ...(version.pinned && followingOf(version.pinned)),
    move: { to: "active", reason: null },
  });
  if (!after) throw changedMeanwhile(null);
  await deps.bus.publish({ type: "forget", kind: "tool", id: after.id, tenantId: after.tenantId });
  await tellChange(deps, principal, "enabled", { before, after, details: { takenVersion: rejected } });
  return after;
}

/** As a person's word it outlasts whatever its server offers later. */
async function blockTool(deps: ServerToolsDeps, principal: TenantPrincipal, tool: Tool): Promise<Tool> {
  const waiting = waitingVersionOf(tool);
  const rejected =
    waiting === null
      ? tool
      : await decideVersion(deps, principal, tool.id, { to: "rejected", version: waiting, seen: null });
  if (rejected.status === "rejected" || (rejected.status === "disabled" && !isDisabledBySync(rejected)))
    return rejected;
  const { tenantId, id, revision } = rejected;
  const after = await deps.tools.setStatus(tenantId, id, ["active", "disabled"], "disabled", revision);
  if (!after) throw changedMeanwhile(null);
  await deps.bus.publish({ type: "forget", kind: "tool", id, tenantId });
  await tellChange(deps, principal, "disabled", { before: rejected, after });
  return after;
}
