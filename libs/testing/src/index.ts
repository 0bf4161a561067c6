export { freePort } from "@bulkhead/standalone/stores";
export { asAdmin } from "./admin-statement.ts";
export { shortageMs } from "./processor-shortage.ts";
export { startApp, type ChildApp } from "./child-app.ts";
export { leakCheck } from "./leak-check.ts";
export { everyNth, isNightly, SEED } from "./nightly.ts";
export {
  startProduct,
  type Product,
  type ProductApi,
  type ProductOptions,
  type ProductWorker,
} from "./product.ts";
export { queryRows } from "./query-rows.ts";
export { redisKeysWith } from "./redis-keys-with.ts";
export { sharedProduct, type SharedProduct } from "./shared-product.ts";
export { openSse, type SseEvent, type SseOptions, type SseReader } from "./sse.ts";
export { openTestDatabase, type TestDatabase } from "./test-database.ts";
export { startRedisCluster, type TestRedisCluster } from "./redis-cluster.ts";
export { startRedisSentinel, type TestRedisSentinel } from "./redis-sentinel.ts";
export { openTestRedis, type TestRedis, type TestRedisServer } from "./test-redis.ts";
export { until, type UntilOptions } from "./until.ts";
export { insertWholeTenant, NEVER_TOLD, rowsWith, tablesOf, type WholeTenant } from "./whole-tenant.ts";
