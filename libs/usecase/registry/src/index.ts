export { decideVersion, type Decision } from "./approval/decide-version.ts";
export type { Proposal } from "./approval/proposal.ts";
export { readEvidence, type Evidence, type EvidenceDeps } from "./approval/read-evidence.ts";
export { deleteTool, moveTool, type ToolMove } from "./change-status.ts";
export { changeInTurn } from "./change-in-turn.ts";
export { checkLimits } from "./check-limits.ts";
export { checkAllowedHosts } from "./check-allowed-hosts.ts";
export { checkDefinition, checkName, definitionWarnings } from "./check-definition.ts";
export { compileCode } from "./compile-code.ts";
export {
  createTool,
  createTools,
  prepareTool,
  type CreateToolRequest,
  type PreparedTool,
} from "./create-tool.ts";
export { askingOnce } from "./asking-once.ts";
export { judgedAnew } from "./judged-anew.ts";
export { neededServices, serviceWarnings } from "./keep-services.ts";
export { getTool, isNameTaken, noSuchTool, noSuchToolFor } from "./read-tools.ts";
export { stateTag, type SeenAs } from "./seen-state.ts";
export type { ToolDeps } from "./tool-deps.ts";
export { updateTool, type UpdateToolRequest } from "./update-tool.ts";
export { diffVersions, type VersionDiff } from "./versions/diff-versions.ts";
export {
  getVersion,
  listVersions,
  requireApproved,
  requireNoMore,
  requireVersion,
  type VersionDeps,
} from "./versions/read-versions.ts";
export { restoreVersion } from "./versions/restore-version.ts";
