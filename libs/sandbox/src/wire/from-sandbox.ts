import { z } from "zod";
import {
  BODY_CHARS_MAX,
  EFFECT_HEAD_CHARS_MAX,
  FRAME_LINES_MAX,
  LOG_LINE_BYTES_MAX,
  MESSAGE_CHARS_MAX,
  RETRY_AFTER_MS_MAX,
  PROGRESS_CHARS_MAX,
  RESULT_CHARS_MAX,
} from "./bounds.ts";
import { REFUSALS } from "./refusals.ts";
import { STOP_REASONS, STOPPING_LAYERS } from "./stop-reasons.ts";

const executionId = z.string().min(1).max(64);
/** Counts a run's requests from 1. */
const requestId = z.int().min(1).max(1_000_000_000);
const measure = z.number().min(0).max(1e9);

/** A run's usage, as the sandbox process sees it: milliseconds and MiB. */
const sandboxMeasures = z.strictObject({ cpuMs: measure, memoryPeakMib: measure, rssMib: measure });
export type SandboxMeasures = z.output<typeof sandboxMeasures>;

const logLine = z.strictObject({
  level: z.enum(["debug", "info", "warn", "error"]),
  text: z.string().max(LOG_LINE_BYTES_MAX),
});
export type LogLine = z.output<typeof logLine>;

/** Everything that a sandbox process says to its worker. A run ends with exactly one `returned` or `stopped`. */
export const fromSandbox = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("hello"), version: z.int() }),
  /** Lines that were written one right behind the other. */
  z.strictObject({
    type: z.literal("log"),
    executionId,
    lines: z.array(logLine).min(1).max(FRAME_LINES_MAX),
  }),
  z.strictObject({ type: z.literal("progress"), executionId, json: z.string().max(PROGRESS_CHARS_MAX) }),
  z.strictObject({
    type: z.literal("effect"),
    executionId,
    requestId,
    /** An `EffectHead` as JSON, read by `readEffectHead`. */
    head: z.string().max(EFFECT_HEAD_CHARS_MAX),
    body: z.string().max(BODY_CHARS_MAX).nullable(),
    bodyEncoding: z.enum(["utf8", "base64"]),
  }),
  /** The tool no longer waits for this effect, or wants no more of the body that answered it. */
  z.strictObject({ type: z.literal("give_up"), executionId, requestId }),
  z.strictObject({
    type: z.literal("returned"),
    executionId,
    /** Null where it is the text of the next frame. */
    json: z.string().max(RESULT_CHARS_MAX).nullable(),
    measures: sandboxMeasures,
  }),
  z.strictObject({
    type: z.literal("stopped"),
    executionId,
    reason: z.enum(STOP_REASONS),
    layer: z.enum(STOPPING_LAYERS),
    message: z.string().max(MESSAGE_CHARS_MAX),
    /** Set where the tool let the error of a refused effect through. */
    code: z.enum(REFUSALS).nullable(),
    /** For how long the tool's error asks to be let alone. */
    retryAfterMs: z.int().min(1).max(RETRY_AFTER_MS_MAX).nullable(),
    measures: sandboxMeasures,
  }),
]);
export type FrameFromSandbox = z.output<typeof fromSandbox>;
export type ReturnedHead = Extract<FrameFromSandbox, { type: "returned" }>;
/** A message that one or more frames make up. */
export type FromSandbox = Exclude<FrameFromSandbox, ReturnedHead> | (ReturnedHead & { json: string });
export type EffectFrame = Extract<FromSandbox, { type: "effect" }>;
