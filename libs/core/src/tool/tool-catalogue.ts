import type { Creator, Tool, ToolStatus } from "./tool.ts";
import type { ToolScope } from "./tool-scope.ts";

export const TOOL_SORTS = ["createdAt", "updatedAt", "name", "usageCount"] as const;
export type ToolSort = (typeof TOOL_SORTS)[number];

/** The end of a page: the sorted value of its last tool, and that tool's id. Moments are ISO 8601 in UTC. */
export interface PageMark {
  value: string | number;
  id: string;
}

export interface CatalogueQuery {
  scope: ToolScope;
  /** Only this agent's own. */
  agentId?: string;
  status?: ToolStatus;
  /** Only those that wait for a person, or have a version that does. */
  waiting?: true;
  category?: string;
  createdBy?: Creator;
  /**
   * All of them must be found, the last one as a beginning, or all in a row anywhere in the name; none at all find nothing. As
   * `searchWords` makes them.
   */
  words?: readonly string[];
  sort: ToolSort;
  order: "asc" | "desc";
  limit: number;
  offset: number;
  /** Only what comes behind it. */
  after?: PageMark;
}

export interface CataloguePage {
  tools: Tool[];
  /** The count of all matches, whatever the page. */
  count: number;
  /** Null on the last page. */
  next: PageMark | null;
}

export interface ToolStats {
  total: number;
  active: number;
  disabled: number;
  rejected: number;
  /** Tools that wait, and those of which a newer version does. */
  pendingApproval: number;
  createdByLlm: number;
  createdByUser: number;
  totalUsage: number;
  /** Those with the most tools, at most `CATEGORIES_COUNTED_MAX`. */
  categories: { name: string; count: number }[];
}

export const CATEGORIES_COUNTED_MAX = 100;

/** A tool as lists for models show it. */
export type ToolSummary = Pick<
  Tool,
  "id" | "name" | "alias" | "mcp" | "description" | "status" | "category" | "createdBy" | "usageCount"
>;

/** An active tool as definitions are made of it. */
export interface DefinedTool extends Pick<
  Tool,
  | "id"
  | "revision"
  | "name"
  | "alias"
  | "title"
  | "annotations"
  | "mcp"
  | "description"
  | "parameters"
  | "outputSchema"
  | "permissions"
  | "idempotent"
  | "category"
  | "requiresApproval"
  | "approval"
  | "createdBy"
> {
  /** That there is such code; its text is left out. */
  approvalCode?: true;
}

/** A tool that a search found. */
export type FoundTool = Pick<
  DefinedTool,
  | "id"
  | "name"
  | "alias"
  | "mcp"
  | "description"
  | "category"
  | "requiresApproval"
  | "approval"
  | "approvalCode"
  | "createdBy"
>;

export interface DefinedTools {
  /** Newest first. */
  tools: DefinedTool[];
  /** Bytes of their descriptions and schemas. */
  bytes: number;
  /** The count of further tools that didn't fit. */
  omitted: number;
}

/** A state of a tool, as in `tool_0123456789abcdef:3`. */
export const definitionMark = ({ id, revision }: Pick<Tool, "id" | "revision">): string =>
  `${id}:${revision}`;

/** What a tool is called, and whether it may run. */
export type CalledTool = Pick<Tool, "id" | "name" | "alias" | "mcp" | "status">;

/** Searches and lists a tenant's tools. */
export interface ToolCatalogue {
  page(tenantId: string, query: CatalogueQuery): Promise<CataloguePage>;
  stats(tenantId: string, scope: ToolScope, agentId?: string): Promise<ToolStats>;
  /** How many tools of their own the tenant's agents have; those without any are left out. */
  countOfAgents(tenantId: string): Promise<{ agentId: string; count: number }[]>;
  /** What all tools that are there in the scope are called, the agent's own last. */
  names(tenantId: string, scope: ToolScope): Promise<CalledTool[]>;
  /** Newest first. */
  summaries(
    tenantId: string,
    query: { scope: ToolScope; status?: ToolStatus; category?: string; limit: number },
  ): Promise<{ tools: ToolSummary[]; count: number }>;
  /** Active tools in which any of the words is found, the last one as a beginning too; the best match first. */
  search(
    tenantId: string,
    query: { scope: ToolScope; words: readonly string[]; limit: number },
  ): Promise<FoundTool[]>;
  /**
   * The marks of the active tools that the agent sees (null: the tools that every agent sees), newest first, joined by
   * commas: the text changes whenever `definitions` may.
   */
  definitionMarks(tenantId: string, agentId: string | null): Promise<string>;
  /** Those tools, limited to these ids if given, as many as fit in `bytesMax` bytes of description and schema. */
  definitions(
    tenantId: string,
    agentId: string | null,
    bytesMax: number,
    ids?: readonly string[],
  ): Promise<DefinedTools>;
}
