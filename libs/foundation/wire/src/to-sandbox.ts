import { z } from "zod";
import { ARGUMENTS_CHARS_MAX, CODE_CHARS_MAX, CONTEXT_CHARS_MAX } from "./bounds.ts";
import { fetchAnswer } from "./effect.ts";
import { executionId, requestId } from "./names.ts";

const bound = (max: number) => z.int().min(0).max(max);
const MIB = 1024 * 1024;

/** The limits that the sandbox itself keeps; the worker keeps the others, and these a second time. */
const sandboxLimits = z.strictObject({
  cpuMs: bound(3_600_000),
  wallMs: bound(3_600_000),
  memoryMib: z.int().min(8).max(4_096),
  resultBytes: bound(64 * MIB),
  logBytes: bound(64 * MIB),
  bytesOut: bound(64 * MIB),
});
export type SandboxLimits = z.output<typeof sandboxLimits>;

/** Everything that a worker says to a sandbox process. */
export const toSandbox = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("hello"),
    version: z.int(),
    /** The heap of the isolate that the process makes ready before it answers. */
    warmMemoryMib: z.int().min(8).max(4_096),
  }),
  z.strictObject({
    type: z.literal("run"),
    executionId,
    isolateKey: z.string().min(1).max(512),
    code: z.string().max(CODE_CHARS_MAX),
    argumentsJson: z.string().max(ARGUMENTS_CHARS_MAX),
    contextJson: z.string().max(CONTEXT_CHARS_MAX),
    network: z.boolean(),
    limits: sandboxLimits,
  }),
  z.strictObject({ type: z.literal("fetched"), executionId, requestId, answer: fetchAnswer }),
]);
export type ToSandbox = z.output<typeof toSandbox>;
export type RunFrame = Extract<ToSandbox, { type: "run" }>;
