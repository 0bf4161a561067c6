import {
  LARGE_JSON_CHARS,
  type EndingLayer,
  type SandboxHooks,
  type SandboxOutcome,
  type SandboxRun,
  type SandboxUsage,
} from "@bulkhead/core";
import { isSoundJson } from "../wire/json-depth.ts";
import { LogAccount } from "../wire/log-account.ts";
import { WireError } from "../wire/wire-error.ts";
import type { EffectAnswer } from "../wire/to-sandbox.ts";
import type { FromSandbox, SandboxMeasures } from "../wire/from-sandbox.ts";
import { PendingEffects } from "./pending-effects.ts";

/** A verdict without what only the pool knows. */
export type ProcessVerdict = SandboxOutcome & {
  usage: Omit<SandboxUsage, "bindMs">;
  endedBy: EndingLayer;
};

type RunMessage = Exclude<FromSandbox, { type: "hello" }>;

/** The worker's half of one run: it hands on what the sandbox says and holds it to the wire's rules. */
export class SupervisedRun {
  readonly run: SandboxRun;
  readonly #hooks: SandboxHooks;
  readonly #effects: PendingEffects;
  readonly #account: LogAccount;
  readonly #startedAt = performance.now();
  #verdict: ProcessVerdict | null = null;
  #silent = true;

  constructor(
    run: SandboxRun,
    hooks: SandboxHooks,
    reply: (requestId: number, answer: EffectAnswer) => void,
  ) {
    this.run = run;
    this.#hooks = hooks;
    this.#effects = new PendingEffects(run, hooks, reply);
    this.#account = new LogAccount(run.limits.logBytes);
  }

  /** Nothing was heard of it yet. */
  get isSilent(): boolean {
    return this.#silent;
  }

  /** What the sandbox has said about the end so far. */
  get verdict(): ProcessVerdict | null {
    return this.#verdict;
  }

  /** Throws a WireError for what a sound sandbox would not say at this point. */
  hear(message: RunMessage): void {
    this.#silent = false;
    if (message.executionId !== this.run.executionId)
      throw new WireError("it answered for another execution");
    if (this.#verdict !== null) throw new WireError("it went on after its verdict");
    switch (message.type) {
      case "log":
        for (const { text } of message.lines) this.#spend("log", text);
        return this.#hooks.onLog(message.lines);
      case "progress":
        this.#spend("progress", message.json);
        // A large one is looked into by whoever tells it, in its own time.
        if (message.json.length <= LARGE_JSON_CHARS) requireJson(message.json);
        return this.#hooks.onProgress(message.json);
      case "effect":
        return this.#effects.start(message);
      case "give_up":
        return this.#effects.giveUp(message.requestId);
      case "returned":
        if (message.json.length <= LARGE_JSON_CHARS) requireJson(message.json);
        if (Buffer.byteLength(message.json) > this.run.limits.resultBytes) {
          throw new WireError("its result is over the limit");
        }
        this.#verdict = this.end({ outcome: "returned", json: message.json }, "guest", message.measures);
        return;
      case "stopped":
        this.#verdict = this.end(stoppedOutcome(message), message.layer, message.measures);
        return;
    }
  }

  /** For one that has its verdict, once: whether the result is JSON, where that is not known yet. */
  checkResult(): Promise<boolean> | null {
    const verdict = this.#verdict;
    if (verdict?.outcome !== "returned" || verdict.json.length <= LARGE_JSON_CHARS) return null;
    return this.#hooks.onLargeResult(verdict.json);
  }

  /** Adds what was used; where nobody saw it, it counts as nothing. The wall clock is always the worker's. */
  end(
    outcome: SandboxOutcome,
    endedBy: EndingLayer,
    measures: SandboxMeasures | null = null,
  ): ProcessVerdict {
    const wallMs = Math.round((performance.now() - this.#startedAt) * 100) / 100;
    const { cpuMs, memoryPeakMib } = measures ?? { cpuMs: 0, memoryPeakMib: 0 };
    return { ...outcome, endedBy, usage: { cpuMs, wallMs, memoryPeakMib } };
  }

  /** Gives up every effect that is under way. */
  close(): void {
    this.#effects.close();
  }

  #spend(kind: "log" | "progress", text: string): void {
    if (!this.#account.admits(kind, text)) throw new WireError("it said more than its log limit");
  }
}

function stoppedOutcome(message: Extract<RunMessage, { type: "stopped" }>): SandboxOutcome {
  if (message.reason !== "threw") return { outcome: message.reason, message: message.message };
  const { code, retryAfterMs } = message;
  return {
    outcome: "threw",
    message: message.message,
    ...(code === null ? {} : { code }),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  };
}

export const NOT_SOUND = "it sent a value that is not JSON, or nests too deep";

function requireJson(text: string): void {
  if (!isSoundJson(text)) throw new WireError(NOT_SOUND);
}
