export { checkCode } from "./check-code.ts";
export { CODE_RULES, type CodeFault, type CodeRule } from "./code-fault.ts";
