import type { ApprovalDecision } from "../approval/approval.ts";
import type { McpServerMark } from "../mcp/mcp-server.ts";
import type { McpToolRef } from "../mcp/mcp-tool-ref.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Requirements } from "./required-services.ts";
import type { Tool, ToolStatus } from "./tool.ts";
import type { ToolDefinition } from "./tool-definition.ts";
import type { NewReview, VersionReview, VersionState } from "./version-review.ts";
import type { ToolScope } from "./tool-scope.ts";

export interface NewTool extends Omit<
  Tool,
  | "mcp"
  | "statusReason"
  | "version"
  | "pendingVersion"
  | "contentHash"
  | "revision"
  | "usageCount"
  | "lastUsedAt"
  | "updatedAt"
> {
  /** Unset: null. */
  mcp?: McpToolRef | null;
  /** Why its first version waits; null where it does not. */
  review: NewReview | null;
  /** The stamp of the name's record that it was judged by, null where there was none; unset: nothing judged it. */
  judgedBy?: string | null;
  /** Likewise of the alias's record. */
  aliasJudgedBy?: string | null;
}

/** The record that stays under a name, and under an alias, after its tool gives it up. */
export interface NameRecord {
  names: string[];
  /** The approved capabilities. */
  capabilities: Capabilities;
  /** Whether people had blocked the tool's calls. */
  blocked: boolean;
}

/** A name's record as it was found. */
export interface FoundRecord extends Omit<NameRecord, "names"> {
  /** Another for every other content. */
  stamp: string;
}

/** A change of a tool. Undefined fields stay. `definition` makes the next version, which supersedes a waiting one. */
export interface ToolChange {
  name?: string;
  alias?: string | null;
  title?: string | null;
  annotations?: Tool["annotations"];
  description?: string;
  category?: string | null;
  requiresApproval?: boolean;
  approval?: ApprovalDecision | null;
  idempotent?: boolean;
  applyDefaults?: boolean | null;
  metadata?: Tool["metadata"];
  requiredApiKeys?: Tool["requiredApiKeys"];
  requiredConfigServices?: Tool["requiredConfigServices"];
  retry?: Tool["retry"];
  dispatch?: Tool["dispatch"];
  retention?: Tool["retention"];
  definition?: ToolDefinition;
  /** The version that `definition` makes waits; where another one runs, that goes on. */
  review?: NewReview;
  /** Takes back the version that waits. */
  withdraw?: true;
  approved?: Capabilities;
  /** The record of the old name or alias, if it changes. */
  nameRecord?: NameRecord;
  /** Moves a tool that has served before, with the platform's reason for it; null: there is none. */
  move?: { to: "active" | "disabled"; reason: string | null };
}

/** What else a decision about a version of a server's tool changes: the tool follows its version. */
export type FollowingChange = Pick<
  ToolChange,
  "title" | "annotations" | "description" | "requiresApproval" | "idempotent" | "retry" | "move"
>;

/** A change of a tool as it was found. */
export interface JudgedChange {
  tool: Tool;
  change: ToolChange;
}

/** A tool to delete as it was found, and what stays under its name. */
export interface JudgedDeletion {
  tool: Tool;
  record: NameRecord | null;
}

/** What one step with several tools stored: the new ones, the changed ones behind them, and what went with each deleted one. */
export interface StoredTools {
  tools: Tool[];
  deleted: DeletedTool[];
}

/** A person's word on the version that waits. */
export interface VersionDecision {
  version: number;
  to: "approved" | "rejected";
  /** The key of the person. */
  by: string;
  /** Why it is rejected; null where no reason is given. A tool that is rejected whole has it as its `statusReason`. */
  reason: string | null;
  /** The tool's approved capabilities from now on; null keeps them. */
  approved: Capabilities | null;
  /** The tool's new description of the services it needs. */
  requirements: Requirements;
  /** Unset: nothing else. */
  following?: FollowingChange;
}

/** An active tool as other tools are shown it. */
export interface ListedTool extends Pick<
  Tool,
  | "id"
  | "name"
  | "alias"
  | "mcp"
  | "description"
  | "parameters"
  | "requiresApproval"
  | "approval"
  | "createdBy"
> {
  /** That there is such code. */
  approvalCode?: true;
}

/** The parts of one version that a run needs; all are immutable but its state, of which only `approved` is final. */
export interface ToolVersion extends ToolDefinition {
  toolId: string;
  state: VersionState;
  /** Why a person rejected it; null on any other. */
  reason: string | null;
  version: number;
  contentHash: string;
  createdAt: Date;
}

/** A version as lists show it: without its code and its schemas. */
export type VersionSummary = Omit<ToolVersion, "code" | "compiled" | "parameters" | "outputSchema">;

/** The things that were deleted with a tool. */
export interface DeletedTool {
  /** Schedules that were active until then. */
  schedulesPaused: number;
}

/**
 * The tools of tenants. Every look-up names the tenant; another tenant's tools do not exist. A server's tool that would become
 * active while its server is disabled is disabled with it instead (`MCP_SERVER_OFF`).
 */
export interface ToolStore {
  /** Throws `tool.name_taken`, and `tool.changed` when the name's record is not the one that it was judged by. */
  create(tool: NewTool): Promise<Tool>;
  /**
   * All of them, in this order, or none; behind them the changed tools, if there are changes, each for the state that it was
   * judged for. Throws what `create` and `update` throw, and `tool.changed` where a tool has left its state. With `of` they are
   * tools of this server, which stays so until they are stored; one that is another by now is `tool.changed`, too.
   */
  createAll(
    tools: readonly NewTool[],
    changes?: readonly JudgedChange[],
    of?: McpServerMark,
  ): Promise<Tool[]>;
  /** The same, and the deleted ones before the others, so that these may take their names. */
  storeAll(
    tools: readonly NewTool[],
    changes: readonly JudgedChange[],
    deletions: readonly JudgedDeletion[],
  ): Promise<StoredTools>;
  /**
   * `ref` is an id, a name or an alias. The last two stand for the tool of the scope's agent, else for the tenant's,
   * whatever their status.
   */
  find(tenantId: string, ref: string, scope: ToolScope): Promise<Tool | null>;
  /** Active ones that are there in the scope: those first whose calls ask nobody, and of each kind the newest first. */
  listActive(tenantId: string, scope: ToolScope, limit: number): Promise<ListedTool[]>;
  /** Applies the change if the tool still has `revision`; null when it is gone or has moved on. Throws `tool.name_taken`. */
  update(tenantId: string, toolId: string, revision: number, change: ToolChange): Promise<Tool | null>;
  /**
   * A compare-and-set from one of `from`; null when the tool is gone, in another status or not at `revision` any more
   * (left out: at whichever). A move forgets the reason of the status before and the convictions of the version.
   */
  setStatus(
    tenantId: string,
    toolId: string,
    from: readonly ToolStatus[],
    to: ToolStatus,
    revision?: number,
  ): Promise<Tool | null>;
  /**
   * Decides about the version that waits. Approved, it runs from now on, and a tool that was never approved becomes active;
   * rejected, it never does, and such a tool is rejected. Null when the tool is gone, not at `revision` any more, or
   * that version does not wait.
   */
  decide(tenantId: string, toolId: string, revision: number, decision: VersionDecision): Promise<Tool | null>;
  /**
   * Null when it is gone, or not at `revision` any more where that is given. `record` is what stays under its name. Its
   * schedules are paused, with the reason and the tool's last name.
   */
  delete(
    tenantId: string,
    toolId: string,
    revision?: number,
    record?: NameRecord | null,
  ): Promise<DeletedTool | null>;
  /** The record under a name or alias that a tool of the agent or, with null, of the tenant has given up; null: there is none. */
  findNameRecord(tenantId: string, agentId: string | null, name: string): Promise<FoundRecord | null>;
  /** Null where the version never had to wait. */
  findReview(tenantId: string, toolId: string, version: number): Promise<VersionReview | null>;
  findVersion(tenantId: string, toolId: string, version: number): Promise<ToolVersion | null>;
  /** Newest first, at most `limit`; only those before the version `before` where it is given. */
  listVersions(
    tenantId: string,
    toolId: string,
    page: { limit: number; before?: number },
  ): Promise<VersionSummary[]>;
}
