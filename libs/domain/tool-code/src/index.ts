export { CALL_START } from "./call-edits.ts";
export { checkCode, inspectCode, type InspectedCode } from "./check-code.ts";
export { CODE_RULES, type CodeFault, type CodeRule } from "./code-fault.ts";
export { literalHosts } from "./literal-hosts.ts";
export type { NetworkCall } from "./network-calls.ts";
export { EXPORT_ADVICE, IMPORT_ADVICE } from "./module-syntax.ts";
export { isToolName } from "./tool-names.ts";
export { takeOffFence } from "./take-off-fence.ts";
