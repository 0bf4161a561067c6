export {
  Bulkhead,
  type AccessTokenRequest,
  type AnyTools,
  type Decision,
  type ToolRuns,
  type ToolTypes,
} from "./bulkhead.ts";
export type { BatchAnswer, BatchCall, BatchOptions, BatchProgress } from "./batch.ts";
export { BulkheadError, ToolFailed, type ClientCode, type FailedEnd, type ProblemDetail } from "./errors.ts";
export { hasEnded, isEnd, type EndEvent, type EndStatus, type ExecutionEvent } from "./events.ts";
export type { Operations } from "./generated/operations.ts";
export type * from "./generated/types.ts";
export type {
  AskerOptions,
  CallOptions,
  ClientOptions,
  FollowOptions,
  IfMatchOption,
  IfNoneMatchOption,
  OnceOption,
} from "./options.ts";
export type { ExecuteMethod, ExportMethod, FileBytes, ZipBytes } from "./own-methods.ts";
export type { Page, Pages } from "./pages.ts";
export type { RunOptions } from "./runs.ts";
export { verifyWebhook, type WebhookEvent, type WebhookOptions, type WebhookRequest } from "./webhook.ts";
