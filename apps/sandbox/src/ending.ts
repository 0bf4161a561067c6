import {
  JSON_DEPTH_MAX,
  nestsTooDeep,
  REFUSALS,
  type Refusal,
  type RunFrame,
  type StopReason,
  type StoppingLayer,
} from "@bulkhead/wire/sandbox";

/** How a run ended; after a breach its isolate and process are not used again. */
export interface Ended {
  outcome: "returned" | StopReason;
  /** The result as JSON, or the message. */
  text: string;
  code: Refusal | null;
  layer: StoppingLayer;
  breach: boolean;
}

const ENDINGS = ["returned", "threw", "memory", "output_invalid", "result_too_large"] as const;

/** An end that the guest itself may name. */
type Ending = (typeof ENDINGS)[number];

export const isEnding = (operation: string): operation is Ending =>
  (ENDINGS as readonly string[]).includes(operation);

/** What comes of an end as the guest told it; `more` is the code of what it was refused, where it threw for that. */
export function judgeEnding(
  outcome: Ending,
  text: string,
  more: string,
  { resultBytes, memoryMib }: RunFrame["limits"],
): Ended {
  if (outcome === "memory") {
    const message = `The tool needed more than ${memoryMib} MiB of memory (limits.memoryMib): ${text}`;
    // V8 refused one buffer; the isolate is whole and can be asked what the run used. The worker ends the process.
    return { outcome, text: message, code: null, layer: "isolate", breach: false };
  }
  if (outcome === "returned" && Buffer.byteLength(text) > resultBytes) {
    const message = `The result is larger than ${resultBytes} bytes as JSON (limits.resultBytes).`;
    return told("result_too_large", message);
  }
  if (outcome === "returned" && nestsTooDeep(text))
    return told("output_invalid", `The result nests deeper than ${JSON_DEPTH_MAX} levels.`);
  return told(outcome, text, REFUSALS.find((refusal) => refusal === more) ?? null);
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
  layer: "guest",
  breach: false,
});
