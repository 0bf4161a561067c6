/** The sandbox's side of the wire: nothing here loads a schema library. */
export * from "./bounds.ts";
export { encodeFrame, encodeFromSandbox, FrameDecoder } from "./frame.ts";
export { fromSandboxBytesMax } from "./frame-bound.ts";
export { LogAccount } from "./log-account.ts";
export { isSoundJson, JSON_DEPTH_MAX, nestsTooDeep } from "./json-depth.ts";
export { REFUSALS, type Refusal } from "./refusals.ts";
export type { StopReason, StoppingLayer } from "./stop-reasons.ts";
export { readToSandbox } from "./to-sandbox.ts";
export type { EffectAnswer, RunFrame, ToSandbox } from "./to-sandbox.ts";
export type { FromSandbox, LogLine, SandboxMeasures } from "./from-sandbox.ts";
