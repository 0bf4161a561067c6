export { CALL_START } from "./code-check/call-edits.ts";
export { checkCode } from "./code-check/check-code.ts";
export type { CodeFault } from "./code-check/code-fault.ts";
export { literalHosts } from "./code-check/literal-hosts.ts";
export { isToolName } from "./code-check/undeclared-names.ts";
