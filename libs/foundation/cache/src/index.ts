export { RevocableCache, type Loaded, type RevocableCacheOptions } from "./revocable-cache.ts";
