export { rememberByText } from "./remember-by-text.ts";
export { SeenMarks } from "./seen-marks.ts";
export { RevocableCache, type Loaded, type RevocableCacheOptions } from "./revocable-cache.ts";
