import { contentHash, definitionOf, requirementsOf, type TenantPrincipal, type Tool } from "@bulkhead/domain";
import { checkDefinition, definitionWarnings } from "../check-definition.ts";
import { keepServices, serviceWarnings } from "../keep-services.ts";
import { getTool } from "../read-tools.ts";
import { changedMeanwhile, requireSeen, type SeenAs } from "../seen-state.ts";
import { tellChange } from "../tell-change.ts";
import type { ToolDeps } from "../tool-deps.ts";
import { capabilitiesIn } from "../approval/capabilities.ts";
import { requireApproved } from "./read-versions.ts";

/**
 * Makes a new version that runs as an old one did, if it passes the rules of today; nothing where the current one does.
 * What was approved once needs no new approval; what never was is not restored. Throws `tool.not_found`,
 * `tool.version_not_found`, `tool.version_not_approved`, `tool.code_invalid`, `tool.schema_invalid`,
 * `tool.precondition_failed` and `tool.changed`.
 */
export async function restoreVersion(
  deps: ToolDeps,
  principal: TenantPrincipal,
  ref: string,
  version: number,
  seen: SeenAs = null,
): Promise<{ tool: Tool; warnings: string[] }> {
  const current = await getTool(deps, principal, ref);
  requireSeen(current, seen);
  const old = await requireApproved(deps, current, version);
  if (contentHash(old) === contentHash(current)) return { tool: current, warnings: [] };
  const definition = definitionOf(old);
  const codeWarnings = await checkDefinition(deps.schemas, definition);
  const tool = await deps.tools.update(principal.tenantId, current.id, current.revision, {
    definition,
    ...(current.createdBy === "llm" ? { approved: capabilitiesIn(definition) } : {}),
    ...requirementsOf(definition.services, current),
  });
  if (!tool) throw changedMeanwhile(seen);
  await deps.bus.publish({ type: "forget", kind: "tool", id: tool.id });
  const details = { versionBefore: current.version, restoredVersion: version };
  await tellChange(deps, principal, "restored", { before: current, after: tool, details });
  await keepServices(deps, principal, { before: current, after: tool });
  const [unconfigured = []] = await serviceWarnings(deps, tool.tenantId, [tool]);
  return { tool, warnings: [...definitionWarnings(tool.permissions), ...codeWarnings, ...unconfigured] };
}
