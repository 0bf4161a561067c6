import {
  MCP_SERVER_OFF,
  type JudgedChange,
  type McpServerKey,
  type McpServerStore,
  type McpTools,
  type ToolStore,
} from "@bulkhead/core";
import { repeatLostChange } from "../registry/repeat-lost-change.ts";
import type { ToolDeps } from "../registry/tool-deps.ts";
import { tellSync } from "./tell-sync.ts";

interface SwitchDeps extends Pick<ToolDeps, "bus" | "tenantEvents" | "audit"> {
  mcpTools: Pick<McpTools, "ofServer">;
  servers: Pick<McpServerStore, "find">;
  tools: Pick<ToolStore, "createAll">;
}

/** Tools that one transaction stores. */
const SWITCHED_AT_ONCE = 50;

/**
 * Disables the active tools of a server that is disabled, so that no list offers what nobody can call, and brings them back when
 * it is enabled: as they were approved, whatever the server offers by then, since a call asks for the approved one. Safe to
 * repeat; a later switch of the server takes over from an earlier one. Throws `tool.changed` where others keep changing them.
 */
export async function switchServersTools(
  deps: SwitchDeps,
  server: McpServerKey,
  isOn: boolean,
): Promise<void> {
  let isMore = true;
  while (isMore) isMore = await repeatLostChange(() => switchSome(deps, server, isOn));
}

/** Whether there may be more. */
async function switchSome(deps: SwitchDeps, server: McpServerKey, isOn: boolean): Promise<boolean> {
  const move: NonNullable<JudgedChange["change"]["move"]> = isOn
    ? { to: "active", reason: null }
    : { to: "disabled", reason: MCP_SERVER_OFF };
  const found = await deps.servers.find(server);
  if (found === null || found.enabled !== isOn) return false;
  const known = await deps.mcpTools.ofServer(server);
  const changes = known
    .filter(({ tool: { status, statusReason } }) =>
      isOn ? status === "disabled" && statusReason === MCP_SERVER_OFF : status === "active",
    )
    .slice(0, SWITCHED_AT_ONCE)
    .map(({ tool }): JudgedChange => ({ tool, change: { move } }));
  if (changes.length === 0) return false;
  const stored = await deps.tools.createAll([], changes, found);
  await tellSync(
    deps,
    server,
    changes.map(({ tool, change }, index) => ({ before: tool, after: stored[index] ?? tool, change })),
  );
  return changes.length === SWITCHED_AT_ONCE;
}
