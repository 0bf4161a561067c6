export { bulkheadTools, type BulkheadToolsOptions } from "./bulkhead-tools.ts";
export { isCallProgress, isFailedCall, type CallProgress, type FailedCall } from "./outputs.ts";
export { toolApprovalOf, type ToolApproval } from "./tool-approval.ts";
