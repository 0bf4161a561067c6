import type { Refusal } from "./refusals.ts";
import { WireError } from "./wire-error.ts";

/** The limits that the sandbox itself keeps; the worker keeps the others, and these a second time. */
interface SandboxLimits {
  cpuMs: number;
  wallMs: number;
  memoryMib: number;
  resultBytes: number;
  logBytes: number;
  bytesOut: number;
}

/** One run, as text; the sandbox process interprets none of it. */
export interface RunFrame {
  type: "run";
  executionId: string;
  isolateKey: string;
  code: string;
  argumentsJson: string;
  contextJson: string;
  /** The config values that the tool may look up, as JSON. */
  configJson: string;
  network: boolean;
  /** Unset: none. */
  capabilities?: readonly string[];
  limits: SandboxLimits;
}

/** The outcome of an effect. `head` is JSON for the guest; a body is handed over as it is. */
export type EffectAnswer =
  | { ok: true; head: string; body: string | null; bodyEncoding: "utf8" | "base64" }
  | { ok: false; code: Refusal; message: string };

/** Everything that a worker says to a sandbox process. */
export type ToSandbox =
  | {
      type: "hello";
      version: number;
      /** The heap of the isolate that the process makes ready before it answers, in MiB. */
      warmMemoryMib: number;
    }
  | RunFrame
  | { type: "answered"; executionId: string; requestId: number; answer: EffectAnswer };

const TYPES: readonly unknown[] = ["hello", "run", "answered"] satisfies ToSandbox["type"][];

/**
 * Reads a frame of the worker's, which the sandbox trusts: the worker wrote the program that reads this. It only
 * recognises frames of another release. It uses no schema library, which would cost every sandbox 90 ms of its start.
 */
export function readToSandbox(text: string): ToSandbox {
  const message = JSON.parse(text) as { type?: unknown };
  if (!TYPES.includes(message.type)) throw new WireError("a frame of an unknown type");
  return message as ToSandbox;
}
