export type { RE2JS } from "re2js";
export { compileRe2 } from "./compile-re2.ts";
