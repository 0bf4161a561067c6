import type { RunLimits, SandboxVerdict } from "@bulkhead/core";

export type Outcome = SandboxVerdict["outcome"];
export type Layer = SandboxVerdict["endedBy"];

/** What a row adds to its program. */
export interface RowDetails {
  limits?: Partial<RunLimits>;
  network?: boolean;
  /** JSON text. */
  argumentsJson?: string;
  /** The exact result, as a value. */
  returns?: unknown;
  message?: RegExp;
  /** The layers that may have ended it, where fewer than the outcome allows. */
  by?: Layer[];
  /** The signal fires so long after the start, in milliseconds. */
  cancelAfterMs?: number;
  /** What must have been said, all lines joined. */
  said?: RegExp;
}

/** What an attacker sends, and every way in which it may end. */
export type AbuseRow = [name: string, code: string, ends: Outcome | Outcome[], details?: RowDetails];

/** Which layers can end a run in which way; any other pair is a fault of the account. */
export const LAYERS: Record<Outcome, Layer[]> = {
  returned: ["guest"],
  threw: ["guest", "isolate"],
  output_invalid: ["guest", "process"],
  result_too_large: ["guest", "process"],
  cpu: ["process", "worker", "system"],
  wall: ["isolate", "process", "worker"],
  memory: ["isolate", "process", "worker", "system"],
  crashed: ["process", "worker", "system"],
  aborted: ["worker"],
  unavailable: ["worker"],
};
