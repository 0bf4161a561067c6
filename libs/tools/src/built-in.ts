export { BUILT_IN_TOOLS, openBuiltInTools, whyMissing } from "./built-in/built-in-tools.ts";
export { openFiles } from "./built-in/files/capability.ts";
