import type { LogLevel } from "../event/event.ts";
import type { EndingLayer } from "./execution.ts";
import type { RunLimits } from "../limit/limits.ts";
import type { CapabilityName } from "./capability.ts";
import type { Effect, EffectAnswer } from "./effect.ts";

/** One run of one tool. Text in, text out: nothing else crosses into the sandbox. */
export interface SandboxRun {
  tenantId: string;
  executionId: string;
  /** Equal for equal code, permissions and heap: runs with the same key may share a warm isolate, one after another. Short: it travels with each run. */
  isolateKey: string;
  code: string;
  argumentsJson: string;
  contextJson: string;
  /** The config values that the tool may look up, as JSON: `{ services: { <name>: { entries: […] } } }`. */
  configJson: string;
  /** Whether the tool sees `fetch`. */
  network: boolean;
  /** The families of capabilities that it sees; unset: none. */
  capabilities?: readonly CapabilityName[];
  /** The depth of nested tool calls, counted from 1. Any run that waits for a nested one keeps its own process busy. */
  depth: number;
  /**
   * Runs in a process that has run nothing before and runs nothing after: a process that dies there was killed by this
   * run.
   */
  alone: boolean;
  limits: RunLimits;
}

export interface LogLine {
  level: LogLevel;
  text: string;
}

/** Callbacks for a running tool's requests and output, called in the order in which the tool made them. */
export interface SandboxHooks {
  onStarted(): void;
  /** Lines that were written one right behind the other; at least one. */
  onLog(lines: readonly LogLine[]): void;
  /** `json` is valid JSON text where it has at most `LARGE_JSON_CHARS` characters; nobody has looked into a longer one. */
  onProgress(json: string): void;
  /**
   * Whether a result of more than `LARGE_JSON_CHARS` characters is JSON; such a check takes too long for the main thread.
   * If it is not, the process is ended for a broken rule. Never rejects.
   */
  onLargeResult(json: string): Promise<boolean>;
  /**
   * Never rejects: a refusal is an answer. The signal fires when the run ends or the tool gives up the effect, which may
   * also happen after the answer: then the tool wants no more of the response's body.
   */
  onEffect(effect: Effect, signal: AbortSignal): Promise<EffectAnswer>;
}

/** How a run ended, judged by the sandbox's messages, never by an exit code. */
export type SandboxVerdict = SandboxOutcome & {
  usage: SandboxUsage;
  endedBy: EndingLayer;
  /**
   * The process's history: another run came before and may have left it broken (`used`); none before (`fresh`); or none
   * before and none after (`own`).
   */
  process: "used" | "fresh" | "own";
  /**
   * Set where a used process died before anything was heard of the run: V8 may crash some milliseconds after a right answer
   * to an earlier one. The tool has had no effect, so the run counts for nothing and can be tried again, alone.
   */
  unheard?: true;
};

export type SandboxOutcome =
  | { outcome: "returned"; json: string }
  /**
   * The tool's own error; `code` is set when the error is a refused effect that the tool let through, `retryAfterMs` when
   * it asks to be let alone for so long.
   */
  | { outcome: "threw"; message: string; code?: string; retryAfterMs?: number }
  /** No process could be had; nothing of the tool has run. */
  | { outcome: "unavailable"; message: string }
  | {
      outcome: "cpu" | "wall" | "memory" | "result_too_large" | "output_invalid" | "crashed" | "aborted";
      message: string;
    };

export interface SandboxUsage {
  cpuMs: number;
  wallMs: number;
  memoryPeakMib: number;
  /** The run waited for a process and bound it for so long; milliseconds. */
  bindMs: number;
}

/** Runs tools, each tenant's in processes that serve no other. */
export interface Sandbox {
  /**
   * Never rejects, whatever a tool does. When the signal fires the guest is dead within 250 ms and the outcome is
   * `aborted`.
   */
  run(run: SandboxRun, hooks: SandboxHooks, signal: AbortSignal): Promise<SandboxVerdict>;
  close(): Promise<void>;
}
