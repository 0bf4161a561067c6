import type { Creator, Tool, ToolDefinition, ToolStatus } from "../tool.ts";

export interface ToolFilter {
  status?: ToolStatus;
  category?: string;
  createdBy?: Creator;
  limit: number;
  offset: number;
}

export type NewTool = Omit<Tool, "statusReason" | "version" | "usageCount" | "lastUsedAt" | "updatedAt">;

/** A change of a tool. Undefined fields stay. `definition` makes the next version. */
export interface ToolChange {
  name?: string;
  description?: string;
  category?: string | null;
  requiresApproval?: boolean;
  idempotent?: boolean;
  metadata?: Tool["metadata"];
  requiredApiKeys?: Tool["requiredApiKeys"];
  definition?: ToolDefinition;
}

/** An active tool as other tools are shown it. */
export type ListedTool = Pick<Tool, "id" | "name" | "description" | "parameters" | "requiresApproval">;

/** What a run needs of one version; immutable, so it may be kept for ever. */
export interface ToolVersion extends ToolDefinition {
  toolId: string;
  version: number;
  createdAt: Date;
}

/** The tools of tenants. The tenant is part of every look-up; what is another's does not exist. */
export interface ToolStore {
  /** Throws `tool.name_taken`. */
  create(tool: NewTool): Promise<Tool>;
  /** `ref` is an id or a name. */
  find(tenantId: string, ref: string): Promise<Tool | null>;
  /** Newest first. */
  list(tenantId: string, filter: ToolFilter): Promise<{ tools: Tool[]; count: number }>;
  /** Active ones, newest first. */
  listActive(tenantId: string, limit: number): Promise<ListedTool[]>;
  /** Applies the change if the tool still has `expectedVersion`; null when it is gone or has moved on. Throws `tool.name_taken`. */
  update(tenantId: string, toolId: string, expectedVersion: number, change: ToolChange): Promise<Tool | null>;
  /**
   * A compare-and-set from one of `from`; null when the tool is gone or in another status. A move forgets the reason of
   * the status before and the convictions of the version.
   */
  setStatus(
    tenantId: string,
    toolId: string,
    from: readonly ToolStatus[],
    to: ToolStatus,
  ): Promise<Tool | null>;
  delete(tenantId: string, toolId: string): Promise<boolean>;
  findVersion(tenantId: string, toolId: string, version: number): Promise<ToolVersion | null>;
  /** Newest first. */
  listVersions(tenantId: string, toolId: string): Promise<ToolVersion[]>;
}
