/** The tool of a server that a tool of the tenant's stands for. */
export interface McpToolRef {
  server: string;
  /** As its server calls it. */
  tool: string;
}
