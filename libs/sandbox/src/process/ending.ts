import { JSON_DEPTH_MAX, nestsTooDeep } from "../wire/json-depth.ts";
import { REFUSALS, type Refusal } from "../wire/refusals.ts";
import { RETRY_AFTER_MS_MAX } from "../wire/bounds.ts";
import type { RunFrame } from "../wire/to-sandbox.ts";
import type { StopReason, StoppingLayer } from "../wire/stop-reasons.ts";

/** How a run ended; after a breach its isolate and process are not used again. */
export interface Ended {
  outcome: "returned" | StopReason;
  /** The result as JSON, or the message. */
  text: string;
  code: Refusal | null;
  /** For how long the error asks to be let alone. */
  retryAfterMs: number | null;
  layer: StoppingLayer;
  breach: boolean;
}

const ENDINGS = ["returned", "threw", "memory", "output_invalid", "result_too_large"] as const;

/** An end that the guest itself may name. */
type Ending = (typeof ENDINGS)[number];

export const isEnding = (operation: string): operation is Ending =>
  (ENDINGS as readonly string[]).includes(operation);

/**
 * The verdict for an end as the guest reported it; `more` is the code of the refusal that it threw for, if any, `pauseMs`
 * how long its error asks for a pause before a retry, 0 if it does not.
 */
export function judgeEnding(
  outcome: Ending,
  text: string,
  more: string,
  pauseMs: number,
  { resultBytes, memoryMib }: RunFrame["limits"],
): Ended {
  if (outcome === "memory") {
    const message = `The tool needed more than ${memoryMib} MiB of memory (limits.memoryMib): ${text}`;
    // V8 refused one buffer; the isolate is whole and can report the run's usage. The worker ends the process.
    return { outcome, text: message, code: null, retryAfterMs: null, layer: "isolate", breach: false };
  }
  if (outcome === "returned" && Buffer.byteLength(text) > resultBytes) {
    const message = `The result is larger than ${resultBytes} bytes as JSON (limits.resultBytes).`;
    return told("result_too_large", message);
  }
  if (outcome === "returned" && nestsTooDeep(text))
    return told("output_invalid", `The result nests deeper than ${JSON_DEPTH_MAX} levels.`);
  const ended = told(outcome, text, REFUSALS.find((refusal) => refusal === more) ?? null);
  const isAsked = outcome === "threw" && Number.isSafeInteger(pauseMs) && pauseMs > 0;
  return isAsked ? { ...ended, retryAfterMs: Math.min(pauseMs, RETRY_AFTER_MS_MAX) } : ended;
}

/** The end of a guest that no sandbox of ours would have. */
export const breachOf = (what: string): Ended => ({
  ...told("crashed", `The sandbox broke its rules: ${what}.`),
  breach: true,
});

const told = (outcome: Ended["outcome"], text: string, code: Refusal | null = null): Ended => ({
  outcome,
  text,
  code,
  retryAfterMs: null,
  layer: "guest",
  breach: false,
});
