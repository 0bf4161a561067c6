export { BUILT_IN_TOOLS, openBuiltInTools, whyMissing } from "./built-in/built-in-tools.ts";
