import type { Tool, ToolVersion, VersionSummary } from "@bulkhead/core";
import type { VersionDiff } from "@bulkhead/tools";

/** A version as lists show it. */
export const presentSummary = ({ version: serving }: Pick<Tool, "version">, summary: VersionSummary) => ({
  version: summary.version,
  state: summary.state,
  serving: summary.version === serving,
  contentHash: summary.contentHash,
  language: summary.language,
  permissions: summary.permissions,
  limits: summary.limits,
  allowedHosts: summary.allowedHosts ?? undefined,
  services: summary.services,
  createdAt: summary.createdAt.toISOString(),
});

export const presentVersion = (tool: Pick<Tool, "version">, version: ToolVersion) => ({
  ...presentSummary(tool, version),
  code: version.code,
  parameters: version.parameters,
  outputSchema: version.outputSchema ?? undefined,
});

export const presentDiff = (from: ToolVersion, to: ToolVersion, { changes, code }: VersionDiff) => ({
  from: from.version,
  to: to.version,
  identical: changes.length === 0 && code === null,
  changes,
  code: code ?? undefined,
});
