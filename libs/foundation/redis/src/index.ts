export { calmly } from "./calmly.ts";
export { connect, disconnect, reconnectMs, type ConnectInput } from "./connect.ts";
export { serverVersion } from "./server-version.ts";
