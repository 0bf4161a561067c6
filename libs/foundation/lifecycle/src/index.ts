export { Closers, type Closable } from "./closers.ts";
export { askedToStop } from "./parent.ts";
