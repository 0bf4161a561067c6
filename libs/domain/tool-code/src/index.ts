export { checkCode, inspectCode, type InspectedCode } from "./check-code.ts";
export { CODE_RULES, type CodeFault, type CodeRule } from "./code-fault.ts";
export { literalHosts } from "./literal-hosts.ts";
export type { NetworkCall } from "./network-calls.ts";
