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
import type { FromSandbox, SandboxMeasures } from "../wire/from-sandbox.ts";
import { encodeAnswer, encodeRun } from "./encode-messages.ts";
import { Overseer } from "./overseer.ts";
import { PendingEffects } from "./pending-effects.ts";
import type { SandboxChild } from "./sandbox-child.ts";

/** A verdict without what only the pool knows. */
export type ProcessVerdict = SandboxOutcome & {
  usage: Omit<SandboxUsage, "bindMs">;
  endedBy: EndingLayer;
};

type RunMessage = Exclude<FromSandbox, { type: "hello" }>;

/** The process that a run is in, as far as the run needs it. */
export interface RunHost {
  child: Pick<SandboxChild, "pid" | "connection">;
  /** The memory that the process holds when the run begins; 0 where nobody looked. */
  rssMib: number;
  graceMs: number;
  /** Ends the process, and the run with this outcome. */
  end(outcome: SandboxOutcome): void;
}

/**
 * One run in one process: it hands on what the sandbox says, holds it to the wire's rules and to the run's limits, and
 * tells how the run ended.
 */
export class SupervisedRun {
  readonly #run: SandboxRun;
  readonly #hooks: SandboxHooks;
  readonly #connection: RunHost["child"]["connection"];
  readonly #effects: PendingEffects;
  readonly #account: LogAccount;
  readonly #overseer: Overseer;
  readonly #signal: AbortSignal;
  readonly #stop: () => void;
  readonly #startedAt = performance.now();
  readonly #ended = Promise.withResolvers<ProcessVerdict>();
  #verdict: ProcessVerdict | null = null;
  #silent = true;

  /** The signal ends it with its process. */
  constructor(host: RunHost, run: SandboxRun, hooks: SandboxHooks, signal: AbortSignal) {
    const { pid, connection } = host.child;
    this.#run = run;
    this.#hooks = hooks;
    this.#connection = connection;
    this.#effects = new PendingEffects(run, hooks, (requestId, answer) =>
      connection.write(encodeAnswer(run.executionId, requestId, answer)),
    );
    this.#account = new LogAccount(run.limits.logBytes);
    this.#overseer = new Overseer(pid, host.rssMib, run.limits, host.graceMs, (outcome) => host.end(outcome));
    this.#signal = signal;
    this.#stop = () => host.end({ outcome: "aborted", message: "The run was stopped." });
    signal.addEventListener("abort", this.#stop, { once: true });
  }

  get ended(): Promise<ProcessVerdict> {
    return this.#ended.promise;
  }

  /** Sends it to the sandbox, or ends it where its signal has fired already. */
  begin(): void {
    if (this.#signal.aborted) return this.#stop();
    this.#connection.expectRun(this.#run);
    this.#connection.write(encodeRun(this.#run));
  }

  /** For a process that is about to be killed: what the run has used until now. */
  see(): void {
    this.#overseer.see();
  }

  /** Its limits hold no more: it has said how it ended. */
  stopWatching(): void {
    this.#overseer.stop();
  }

  /** Nothing was heard of it yet. */
  get isSilent(): boolean {
    return this.#silent;
  }

  /** The end that the sandbox has told so far. */
  get verdict(): ProcessVerdict | null {
    return this.#verdict;
  }

  /** Throws a WireError for what a sound sandbox would not say at this point. */
  hear(message: RunMessage): void {
    this.#silent = false;
    if (message.executionId !== this.#run.executionId)
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
        if (Buffer.byteLength(message.json) > this.#run.limits.resultBytes) {
          throw new WireError("its result is over the limit");
        }
        this.#verdict = this.#end({ outcome: "returned", json: message.json }, "guest", message.measures);
        return;
      case "stopped":
        this.#verdict = this.#end(stoppedOutcome(message), message.layer, message.measures);
        return;
    }
  }

  /** For one that has its verdict, once: whether the result is JSON, where that is not known yet. */
  checkResult(): Promise<boolean> | null {
    const verdict = this.#verdict;
    if (verdict?.outcome !== "returned" || verdict.json.length <= LARGE_JSON_CHARS) return null;
    return this.#hooks.onLargeResult(verdict.json);
  }

  /** The verdict of a run whose process is gone, with what was seen of it from outside. */
  verdictOfDeath(outcome: SandboxOutcome, endedBy: EndingLayer): ProcessVerdict {
    return this.#end(outcome, endedBy, this.#overseer.seen);
  }

  finish(verdict: ProcessVerdict): void {
    this.#ended.resolve(verdict);
  }

  /** Gives up every effect that is under way; for a run that has ended. Nothing of it is left after that. */
  close(): void {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#overseer.stop();
    this.#effects.close();
  }

  /** Adds what was used; where nobody saw it, it counts as nothing. The wall clock is always the worker's. */
  #end(outcome: SandboxOutcome, endedBy: EndingLayer, measures: SandboxMeasures | null): ProcessVerdict {
    const wallMs = Math.round((performance.now() - this.#startedAt) * 100) / 100;
    const { cpuMs, memoryPeakMib } = measures ?? { cpuMs: 0, memoryPeakMib: 0 };
    return { ...outcome, endedBy, usage: { cpuMs, wallMs, memoryPeakMib } };
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
