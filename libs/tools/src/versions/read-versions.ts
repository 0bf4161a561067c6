import {
  grownCapabilities,
  type TenantPrincipal,
  type Tool,
  type ToolStore,
  type ToolVersion,
  type VersionSummary,
  Fault,
} from "@bulkhead/core";
import { capabilitiesIn } from "../registry/review/capabilities.ts";
import { getTool } from "../registry/read-tools.ts";

export interface VersionDeps {
  tools: Pick<ToolStore, "find" | "findVersion" | "listVersions">;
}

/** Newest first. `next` is the version before which the next page starts, null on the last. Throws `tool.not_found`. */
export async function listVersions(
  deps: VersionDeps,
  principal: TenantPrincipal,
  ref: string,
  page: { limit: number; before?: number },
): Promise<{ tool: Tool; versions: VersionSummary[]; next: number | null }> {
  const tool = await getTool(deps, principal, ref);
  const found = await deps.tools.listVersions(tool.tenantId, tool.id, { ...page, limit: page.limit + 1 });
  const versions = found.slice(0, page.limit);
  const next = found.length > page.limit ? (versions.at(-1)?.version ?? null) : null;
  return { tool, versions, next };
}

/** One version and the tool as it is now. Throws `tool.not_found` or `tool.version_not_found`. */
export async function getVersion(
  deps: VersionDeps,
  principal: TenantPrincipal,
  ref: string,
  version: number,
): Promise<{ tool: Tool; version: ToolVersion }> {
  const tool = await getTool(deps, principal, ref);
  return { tool, version: await requireVersion(deps, tool, version) };
}

/** Throws `tool.version_not_found`. */
export async function requireVersion(
  { tools }: { tools: Pick<ToolStore, "findVersion"> },
  tool: Pick<Tool, "tenantId" | "id" | "name">,
  version: number,
): Promise<ToolVersion> {
  const found = await tools.findVersion(tool.tenantId, tool.id, version);
  if (found) return found;
  throw new Fault("tool.version_not_found", {
    detail: `The tool ${tool.name} has no version ${version}; GET /api/v1/custom-tools/${tool.id}/versions lists them.`,
  });
}

/** The version, if it may run. Throws `tool.version_not_found` or `tool.version_not_approved`. */
export async function requireApproved(
  deps: { tools: Pick<ToolStore, "findVersion"> },
  tool: Pick<Tool, "tenantId" | "id" | "name">,
  version: number,
): Promise<ToolVersion> {
  const found = await requireVersion(deps, tool, version);
  if (found.state === "approved") return found;
  throw new Fault("tool.version_not_approved", {
    detail: `Version ${version} of the tool ${tool.name} is ${found.state}; only an approved one runs. A pending one is approved with POST /api/v1/custom-tools/${tool.id}/versions/${version}/approve.`,
  });
}

/** That the version may do nothing which the serving one of the tool may not. Throws `tool.version_not_approved`. */
export function requireNoMore(tool: Tool, version: ToolVersion): void {
  const grown = grownCapabilities(capabilitiesIn(tool), capabilitiesIn(version));
  // What the serving version, or without code of its own the tenant's default, has a person asked about is not to be had
  // unasked from another one.
  const asksOtherwise = version.approvalCode !== tool.approvalCode;
  if (grown.length === 0 && !asksOtherwise) return;
  const more = [
    ...grown.map(({ kind, target }) => `${kind} ${target}`),
    ...(asksOtherwise ? ["run where its own code asks nobody"] : []),
  ].join(", ");
  throw new Fault("tool.version_not_approved", {
    detail: `Version ${version.version} of the tool ${tool.name} may do more than version ${tool.version}, which serves (${more}); an agent calls only what may do no more. A person can call it, or restore it.`,
  });
}
