export { Closers, type Closable } from "./closers.ts";
export { compileAtOnce } from "./compile-at-once.ts";
export { askedToStop } from "./parent.ts";
