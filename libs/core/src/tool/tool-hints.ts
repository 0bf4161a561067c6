/** What a tool says of itself to MCP clients; they may believe it or not. */
export const TOOL_HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
export type ToolHints = { [Hint in (typeof TOOL_HINTS)[number]]?: boolean | undefined };
