import { CUT_MARK, MESSAGE_CHARS_MAX } from "../wire/bounds.ts";
import type { FromSandbox, SandboxMeasures } from "../wire/from-sandbox.ts";
import type { Ended } from "./ending.ts";

/** The frame that reports a run's end to the worker; a long message is cut. */
export function verdictFrame(executionId: string, ended: Ended, measures: SandboxMeasures): FromSandbox {
  const { outcome, text, layer, code, retryAfterMs } = ended;
  if (outcome === "returned") return { type: "returned", executionId, json: text, measures };
  const message = text.length > MESSAGE_CHARS_MAX ? cut(text) : text;
  return { type: "stopped", executionId, reason: outcome, layer, message, code, retryAfterMs, measures };
}

const cut = (text: string): string => text.slice(0, MESSAGE_CHARS_MAX - CUT_MARK.length) + CUT_MARK;
