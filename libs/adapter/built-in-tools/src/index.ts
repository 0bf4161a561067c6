export { openBuiltInTools } from "./built-in-tools.ts";
export { BUILT_IN_TOOLS } from "./definitions.ts";
