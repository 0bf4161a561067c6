export {
  CUT_MARK,
  LOG_LINE_BYTES_MAX,
  LOG_LINE_OVERHEAD_BYTES,
  LOG_LINES_MAX,
  TO_SANDBOX_BYTES_MAX,
  WIRE_VERSION,
} from "./wire/bounds.ts";
export { FrameDecoder, encodeFrame } from "./wire/frame.ts";
export { isSoundJson, JSON_DEPTH_MAX, nestsTooDeep } from "./wire/json-depth.ts";
export type { RunFrame, ToSandbox } from "./wire/to-sandbox.ts";
export { WireError } from "./wire/wire-error.ts";
