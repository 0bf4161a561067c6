export { redisUrlFault } from "./connect/redis-url.ts";
