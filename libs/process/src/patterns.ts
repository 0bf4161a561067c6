export { compileRe2 } from "./patterns/compile-re2.ts";
export type { RE2JS } from "re2js";
