import { contentHash, definitionOf, requirementsOf, type TenantPrincipal, type Tool } from "@bulkhead/core";
import { askingOnce } from "../registry/asking-once.ts";
import { requireNotBridged } from "../registry/bridged-rules.ts";
import { changeTool } from "../registry/change-tool.ts";
import { checkDefinition } from "../registry/check-definition.ts";
import { keepServices, serviceWarnings } from "../registry/keep-services.ts";
import { changedMeanwhile, type SeenAs } from "../registry/seen-state.ts";
import { tellChange } from "../registry/tell-change.ts";
import type { ToolDeps } from "../registry/tool-deps.ts";
import { capabilitiesIn } from "../registry/review/capabilities.ts";
import { requireApproved } from "./read-versions.ts";

/**
 * Makes a new version that runs as an old one did, if it passes the rules of today; nothing where the current one does.
 * A version that was approved once needs no new approval; one that never was is not restored. Throws `tool.not_found`,
 * `tool.version_not_found`, `tool.version_not_approved`, `tool.code_invalid`, `tool.schema_invalid`,
 * `tool.precondition_failed`, and `tool.changed` where others change the tool again and again meanwhile.
 */
export async function restoreVersion(
  deps: ToolDeps,
  principal: TenantPrincipal,
  ref: string,
  version: number,
  seen: SeenAs = null,
): Promise<{ tool: Tool; warnings: string[] }> {
  const judging = { ...deps, ...askingOnce(deps) };
  const { current, tool, codeWarnings } = await changeTool(deps, principal, { ref, seen }, (found) =>
    restoreFound(judging, found, version, seen),
  );
  if (tool === current) return { tool, warnings: [] };
  await deps.bus.publish({ type: "forget", kind: "tool", id: tool.id, tenantId: tool.tenantId });
  const details = { versionBefore: current.version, restoredVersion: version };
  await tellChange(deps, principal, "restored", { before: current, after: tool, details });
  await keepServices(deps, principal, { before: current, after: tool });
  const [unconfigured = []] = await serviceWarnings(deps, tool.tenantId, [tool]);
  return { tool, warnings: [...codeWarnings, ...unconfigured] };
}

/** Judges the version for the tool as it was found, and stores it for that state alone; the same tool where it runs alike. */
async function restoreFound(
  deps: Pick<ToolDeps, "tools" | "schemas">,
  current: Tool,
  version: number,
  seen: SeenAs,
): Promise<{ current: Tool; tool: Tool; codeWarnings: string[] }> {
  requireNotBridged(current, "its server decides what runs, so no old version comes back.");
  const old = await requireApproved(deps, current, version);
  if (contentHash(old) === contentHash(current)) return { current, tool: current, codeWarnings: [] };
  const definition = definitionOf(old);
  const codeWarnings = await checkDefinition(deps.schemas, current, definition);
  const tool = await deps.tools.update(current.tenantId, current.id, current.revision, {
    definition,
    ...(current.createdBy === "llm" ? { approved: capabilitiesIn(definition) } : {}),
    ...requirementsOf(definition.services, current),
  });
  if (!tool) throw changedMeanwhile(seen);
  return { current, tool, codeWarnings };
}
