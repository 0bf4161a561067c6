import { shownAs, Tool as Shown } from "@bulkhead/contracts";
import type { Tool, ToolServices } from "@bulkhead/core";
import { neededServices } from "./keep-services.ts";
import { shownCommandOf } from "./shown-command.ts";

export interface ShowToolDeps {
  toolServices: Pick<ToolServices, "unconfigured">;
}

/** Tools of one tenant as outsiders see them, each with those of its services that can't be used yet. */
export async function showTools(deps: ShowToolDeps, tenantId: string, tools: readonly Tool[]) {
  const unconfigured = await unconfiguredOf(deps, tenantId, tools);
  return tools.map((tool, n) => presentTool(tool, unconfigured[n] ?? [], []));
}

/** Shows one tool likewise, with warnings for its maker. */
export async function showTool(deps: ShowToolDeps, tool: Tool, warnings: string[] = []) {
  const [unconfigured = []] = await unconfiguredOf(deps, tool.tenantId, [tool]);
  return presentTool(tool, unconfigured, warnings);
}

const unconfiguredOf = (
  { toolServices }: ShowToolDeps,
  tenantId: string,
  tools: readonly Tool[],
): Promise<string[][]> =>
  toolServices.unconfigured(
    tenantId,
    tools.map((tool) => ({ services: neededServices(tool) })),
  );

/** A tool as outsiders see it; `userId` is the tenant that owns it. */
const presentTool = (tool: Tool, unconfiguredServices: string[], warnings: string[]) =>
  shownAs(Shown, tool, {
    userId: tool.tenantId,
    ...shownCommandOf(tool),
    unconfiguredServices,
    warnings: warnings.length > 0 ? warnings : undefined,
  });
