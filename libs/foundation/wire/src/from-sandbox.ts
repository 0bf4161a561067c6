import { z } from "zod";
import {
  FROM_SANDBOX_BYTES_MIN,
  LOG_LINE_BYTES_MAX,
  MESSAGE_CHARS_MAX,
  PROGRESS_CHARS_MAX,
  RESULT_CHARS_MAX,
} from "./bounds.ts";
import { fetchRequest, refusal } from "./effect.ts";
import { executionId, requestId } from "./names.ts";

const measure = z.number().min(0).max(1e9);

/** What a run used, as the sandbox process sees it: milliseconds and MiB. */
const sandboxMeasures = z.strictObject({ cpuMs: measure, memoryPeakMib: measure, rssMib: measure });
export type SandboxMeasures = z.output<typeof sandboxMeasures>;

export const STOP_REASONS = [
  "threw",
  "cpu",
  "wall",
  "memory",
  "result_too_large",
  "output_invalid",
  "crashed",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Everything that a sandbox process says to its worker. A run ends with exactly one `returned` or `stopped`. */
export const fromSandbox = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("hello"), version: z.int() }),
  z.strictObject({
    type: z.literal("log"),
    executionId,
    level: z.enum(["debug", "info", "warn", "error"]),
    text: z.string().max(LOG_LINE_BYTES_MAX),
  }),
  z.strictObject({ type: z.literal("progress"), executionId, json: z.string().max(PROGRESS_CHARS_MAX) }),
  z.strictObject({ type: z.literal("fetch"), executionId, requestId, request: fetchRequest }),
  z.strictObject({
    type: z.literal("returned"),
    executionId,
    json: z.string().max(RESULT_CHARS_MAX),
    measures: sandboxMeasures,
  }),
  z.strictObject({
    type: z.literal("stopped"),
    executionId,
    reason: z.enum(STOP_REASONS),
    message: z.string().max(MESSAGE_CHARS_MAX),
    /** Set where the tool let the error of a refused request through. */
    code: refusal.nullable(),
    measures: sandboxMeasures,
  }),
]);
export type FromSandbox = z.output<typeof fromSandbox>;

/** The longest frame that a sandbox under these limits has a reason to send: JSON in JSON at most doubles. */
export const fromSandboxBytesMax = (limits: {
  resultBytes: number;
  logBytes: number;
  bytesOut: number;
}): number => FROM_SANDBOX_BYTES_MIN + 2 * Math.max(limits.resultBytes, limits.logBytes, limits.bytesOut);
