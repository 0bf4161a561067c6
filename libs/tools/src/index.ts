export { openMcpServerTools, type ServerToolsDeps } from "./bridged/server-tools.ts";
export { openMcpRegistry, type SyncDeps } from "./bridged/sync-offers.ts";
export type { OfferCover } from "./bridged/offered-tool.ts";
export { changeInTurn } from "./registry/change-in-turn.ts";
export { deleteTool, moveTool } from "./registry/change-status.ts";
export { checkAllowedHosts } from "./registry/check-allowed-hosts.ts";
export { checkDefinition, checkName } from "./registry/check-definition.ts";
export { type CheckedDraft, checkDraft } from "./registry/check-draft.ts";
export { checkLimits } from "./registry/check-limits.ts";
export { compileCode } from "./registry/compile-code.ts";
export { type CreateToolRequest, createTool } from "./registry/create-tool.ts";
export { neededServices } from "./registry/keep-services.ts";
export { type PutCondition, putTool } from "./registry/put-tool.ts";
export { getTool, isNameTaken, noSuchTool, noSuchToolFor, seenScope } from "./registry/read-tools.ts";
export { decideVersion } from "./registry/review/decide-version.ts";
export { type Evidence, type EvidenceDeps, readEvidence } from "./registry/review/read-evidence.ts";
export { readCursor, writeCursor } from "./registry/catalogue-cursor.ts";
export { countWaitingTools, listTools, type ListToolsDeps } from "./registry/list-tools.ts";
export { showTool, showTools, type ShowToolDeps } from "./registry/show-tools.ts";
export { shownCommandOf } from "./registry/shown-command.ts";
export { recordHashOf } from "./registry/record-hash.ts";
export { type SeenAs, stateTag } from "./registry/seen-state.ts";
export type { ToolDeps } from "./registry/tool-deps.ts";
export { updateTool } from "./registry/update-tool.ts";
export type { UpdateToolRequest } from "./registry/next-definition.ts";
export { type VersionDiff, diffVersions } from "./versions/diff-versions.ts";
export {
  getVersion,
  listVersions,
  requireApproved,
  requireNoMore,
  requireVersion,
} from "./versions/read-versions.ts";
export { restoreVersion } from "./versions/restore-version.ts";
