import { FILE_TOOL_NAMES, META_TOOL_NAMES, READING_META_TOOLS, type McpToolRef } from "@bulkhead/core";

/** The tool that makes a call as its caller could make it directly, and the one of MCP that gets a call's result later. */
const PASSING_ON = ["call_tool", "get_execution"] as const;

/** Groups of the tools that the product brings, by the names under which they are or will be there. */
const NATIVE_GROUPS = {
  fs: FILE_TOOL_NAMES,
  data: ["data_get", "data_put", "data_query", "data_remove"],
  goals: ["goals"],
  runtime: ["exec", "process"],
  web: ["web_search", "web_fetch"],
  memory: ["memory_search", "memory_get"],
  skills: ["skill_search"],
  sessions: [
    "sessions_list",
    "sessions_history",
    "sessions_send",
    "sessions_spawn",
    "subagents",
    "session_status",
  ],
  ui: ["browser", "canvas"],
  automation: ["cron", "gateway"],
  database: ["database_query"],
  messaging: ["message"],
  nodes: ["nodes"],
  delegation: ["delegate", "delegate_search", "evaluate_loop", "handoff"],
  teams: ["team_tasks", "team_message"],
  meta: [...META_TOOL_NAMES, ...PASSING_ON],
} as const satisfies Record<string, readonly string[]>;

/** Tools that the product brings and that are in no group but that of all of them. */
const UNGROUPED = ["image", "tts", "spawn", "subagent", "agents_list", "whatsapp_login"];

/** Every tool that the product brings, those that are still to come among them. */
export const NATIVE_TOOLS: ReadonlySet<string> = new Set<string>([
  ...Object.values(NATIVE_GROUPS).flat(),
  ...UNGROUPED,
]);

/** The group of all of them. */
const NATIVE_GROUP = "native";

/** Groups by name. */
export const BUILT_IN_GROUPS: ReadonlyMap<string, ReadonlySet<string>> = new Map<string, ReadonlySet<string>>(
  [
    ...Object.entries(NATIVE_GROUPS).map(([name, tools]) => [name, new Set<string>(tools)] as const),
    [NATIVE_GROUP, NATIVE_TOOLS],
  ],
);

/**
 * Meta-tools that show and call nothing but what the policy leaves. A list that keeps what it names doesn't take them away by
 * its silence: else whoever names one tool would have to name the tools that find it too.
 */
export const TRANSPARENT_TOOLS: ReadonlySet<string> = new Set([...READING_META_TOOLS, ...PASSING_ON]);

/** All tools of others' MCP servers; `mcp:<server>` are those of one. */
const MCP_GROUP = "mcp";

export const isMcpGroup = (name: string): boolean => name === MCP_GROUP || name.startsWith(`${MCP_GROUP}:`);

export const isMcpGroupOf = (name: string, { server }: McpToolRef): boolean =>
  name === MCP_GROUP || name === `${MCP_GROUP}:${server}`;

/** What each profile keeps; null: everything. */
export const PROFILES: ReadonlyMap<string, readonly string[] | null> = new Map<
  string,
  readonly string[] | null
>([
  ["full", null],
  ["coding", ["group:fs", "group:runtime", "group:sessions", "group:memory", "image"]],
  ["messaging", ["group:messaging", "sessions_list", "sessions_history", "sessions_send", "session_status"]],
  ["minimal", ["session_status"]],
]);
