export { openRateLimiter, type OpenedRateLimiter, type OpenRateLimiterInput } from "./rate-limiter.ts";
