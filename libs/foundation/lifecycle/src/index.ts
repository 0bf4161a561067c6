export { Closers, type Closable } from "./closers.ts";
export { compileAtOnce } from "./compile-at-once.ts";
export { askedToStop, PARENT_GONE } from "./parent.ts";
