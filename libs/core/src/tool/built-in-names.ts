/** The names of the tools that come with the platform; no tenant's tool may take one. */
export const BUILT_IN_TOOL_NAMES = ["web_fetch"] as const;
export type BuiltInToolName = (typeof BUILT_IN_TOOL_NAMES)[number];
