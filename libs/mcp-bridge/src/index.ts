export type { BridgeObserver, CallOutcome } from "./observer.ts";
export { type McpBridgeInput, openMcpBridge } from "./open-mcp-bridge.ts";
export { type Servers, type ServersDeps, openServers } from "./open-servers.ts";
