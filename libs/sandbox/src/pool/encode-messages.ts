import type { SandboxRun } from "@bulkhead/core";
import { encodeFrame } from "../wire/frame.ts";
import { TO_SANDBOX_BYTES_MAX } from "../wire/bounds.ts";
import { WireError } from "../wire/wire-error.ts";
import type { EffectAnswer, ToSandbox } from "../wire/to-sandbox.ts";

/** A frame for the sandbox. Throws a WireError for a message that is too large for one. */
export const encodeMessage = (message: ToSandbox): Buffer => encodeFrame(message, TO_SANDBOX_BYTES_MAX);

/** The order to run a tool. */
export function encodeRun(run: SandboxRun): Buffer {
  const { executionId, isolateKey, code, argumentsJson, contextJson, configJson, network, capabilities } =
    run;
  const { cpuMs, wallMs, memoryMib, resultBytes, logBytes, bytesOut } = run.limits;
  const limits = { cpuMs, wallMs, memoryMib, resultBytes, logBytes, bytesOut };
  return encodeMessage({
    type: "run",
    executionId,
    isolateKey,
    code,
    argumentsJson,
    contextJson,
    configJson,
    network,
    ...(capabilities && { capabilities }),
    limits,
  });
}

/** The answer to an effect; one that is too large for a frame becomes a refusal. */
export function encodeAnswer(executionId: string, requestId: number, answer: EffectAnswer): Buffer {
  try {
    return encodeMessage({ type: "answered", executionId, requestId, answer });
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const message = "The response is too large to be handed to the tool.";
    const refusal = { ok: false, code: "network_limit", message } as const;
    return encodeMessage({ type: "answered", executionId, requestId, answer: refusal });
  }
}
