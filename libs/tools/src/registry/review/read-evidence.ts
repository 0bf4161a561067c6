import type {
  Capabilities,
  DryRun,
  DryRunEffect,
  DryRunStore,
  TenantPrincipal,
  Tool,
  ToolServices,
  ToolStore,
  ToolVersion,
  VersionReview,
} from "@bulkhead/core";
import { type BundledPackage, bundledPackages } from "../../packages/bundled-packages.ts";
import { diffVersions, type VersionDiff } from "../../versions/diff-versions.ts";
import { getVersion, requireVersion } from "../../versions/read-versions.ts";
import { boundDryRuns } from "./bound-dry-runs.ts";
import { capabilitiesIn, hasServed } from "./capabilities.ts";

/** All facts for a person's decision about a version. */
export interface Evidence {
  tool: Tool;
  version: ToolVersion;
  /** Null where it never had to wait. */
  review: VersionReview | null;
  capabilities: Capabilities;
  /** Those of its services that give their secrets to its code at present. */
  revealedServices: string[];
  /** Those that its code says it was bundled with. */
  packages: BundledPackage[];
  /** Against the version that serves; null where none does, or this one. */
  diff: { from: ToolVersion; changes: VersionDiff } | null;
  /** The oldest first, within the bounds of the evidence. */
  dryRuns: DryRun[];
  /** The effects that all of them tried. */
  seen: DryRunEffect[];
}

export interface EvidenceDeps {
  tools: Pick<ToolStore, "find" | "findVersion" | "listVersions" | "findReview">;
  dryRuns: Pick<DryRunStore, "list">;
  toolServices: Pick<ToolServices, "revealed">;
}

/** The evidence so far: dry runs may still go on. Throws `tool.not_found` or `tool.version_not_found`. */
export async function readEvidence(
  deps: EvidenceDeps,
  principal: TenantPrincipal,
  ref: string,
  number: number,
): Promise<Evidence> {
  const { tool, version } = await getVersion(deps, principal, ref, number);
  const capabilities = capabilitiesIn(version);
  const [review, dryRuns, revealedServices, serving] = await Promise.all([
    deps.tools.findReview(tool.tenantId, tool.id, number),
    deps.dryRuns.list(tool.tenantId, tool.id, number),
    deps.toolServices.revealed(tool.tenantId, capabilities.services),
    hasServed(tool) && tool.version !== number ? requireVersion(deps, tool, tool.version) : null,
  ]);
  return {
    tool,
    version,
    review,
    capabilities,
    revealedServices,
    packages: bundledPackages(version.code),
    diff: serving && { from: serving, changes: diffVersions(serving, version) },
    ...boundDryRuns(dryRuns),
  };
}
