export { openBuiltInTools } from "./built-in/built-in-tools.ts";
export { BUILT_IN_TOOLS } from "./built-in/definitions.ts";
