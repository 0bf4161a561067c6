export { bulkheadTools, type BulkheadToolsOptions } from "./bulkhead-tools.ts";
export {
  fromAiSdkTools,
  UnpublishableTools,
  type FromAiSdkToolsOptions,
  type ModuleFault,
  type PublishedTool,
} from "./from-ai-sdk-tools.ts";
export { isCallProgress, isFailedCall, type CallProgress, type FailedCall } from "./outputs.ts";
export { toolApprovalOf, type ToolApproval } from "./tool-approval.ts";
