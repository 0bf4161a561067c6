import { Version, VersionPage, shownAs } from "@bulkhead/contracts";
import type { Tool, ToolVersion, VersionSummary } from "@bulkhead/core";
import { shownCommandOf, type VersionDiff } from "@bulkhead/tools";

/** A version as lists show it. */
export const presentSummary = (tool: Pick<Tool, "version">, summary: VersionSummary) =>
  shownAs(VersionPage.shape.versions.element, summary, { serving: summary.version === tool.version });

export const presentVersion = (tool: Pick<Tool, "version">, version: ToolVersion) =>
  shownAs(Version, version, { ...shownCommandOf(version), serving: version.version === tool.version });

export const presentDiff = (from: ToolVersion, to: ToolVersion, { changes, code }: VersionDiff) => ({
  from: from.version,
  to: to.version,
  identical: changes.length === 0 && code === null,
  changes,
  code: code ?? undefined,
});
