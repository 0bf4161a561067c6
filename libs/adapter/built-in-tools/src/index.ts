export { openBuiltInTools } from "./built-in-tools.ts";
