export { calmly } from "./calmly.ts";
export { connect, disconnect, isCluster, type ConnectInput, type RedisClient } from "./connect.ts";
export { fetchingConnection } from "./fetching.ts";
export { listen } from "./listen.ts";
export { checkRedis, mastersOf, onReturn } from "./masters.ts";
export { serverVersion } from "./server-version.ts";
