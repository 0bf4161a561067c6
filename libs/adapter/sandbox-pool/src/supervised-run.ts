import type { SandboxHooks, SandboxOutcome, SandboxRun, SandboxUsage } from "@bulkhead/domain";
import {
  FETCHES_PENDING_MAX,
  LogAccount,
  nestsTooDeep,
  WireError,
  type FetchAnswer,
  type FromSandbox,
  type SandboxMeasures,
} from "@bulkhead/wire";

/** A verdict without what only the pool knows. */
export type ProcessVerdict = SandboxOutcome & { usage: Omit<SandboxUsage, "bindMs"> };

type RunMessage = Exclude<FromSandbox, { type: "hello" }>;

/** The worker's half of one run: it hands on what the sandbox says and holds it to the wire's rules. */
export class SupervisedRun {
  readonly run: SandboxRun;
  readonly #hooks: SandboxHooks;
  readonly #reply: (requestId: number, answer: FetchAnswer) => void;
  readonly #account: LogAccount;
  readonly #startedAt = performance.now();
  readonly #over = new AbortController();
  readonly #pending = new Set<number>();
  #verdict: ProcessVerdict | null = null;
  #silent = true;

  constructor(run: SandboxRun, hooks: SandboxHooks, reply: (requestId: number, answer: FetchAnswer) => void) {
    this.run = run;
    this.#hooks = hooks;
    this.#reply = reply;
    this.#account = new LogAccount(run.limits.logBytes);
  }

  /** Nothing was heard: the tool has had no effect. */
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
        this.#spend("log", message.text);
        return this.#hooks.onLog(message.level, message.text);
      case "progress":
        this.#spend("progress", message.json);
        requireJson(message.json);
        return this.#hooks.onProgress(message.json);
      case "fetch":
        return this.#fetch(message);
      case "returned":
        requireJson(message.json);
        if (Buffer.byteLength(message.json) > this.run.limits.resultBytes) {
          throw new WireError("its result is over the limit");
        }
        this.#verdict = this.end({ outcome: "returned", json: message.json }, message.measures);
        return;
      case "stopped":
        this.#verdict = this.end(stoppedOutcome(message), message.measures);
        return;
    }
  }

  /** Adds what was used; where the sandbox did not say, it counts as nothing. The wall clock is always the worker's. */
  end(outcome: SandboxOutcome, measures: SandboxMeasures | null = null): ProcessVerdict {
    const wallMs = Math.round((performance.now() - this.#startedAt) * 100) / 100;
    const { cpuMs, memoryPeakMib } = measures ?? { cpuMs: 0, memoryPeakMib: 0 };
    return { ...outcome, usage: { cpuMs, wallMs, memoryPeakMib } };
  }

  /** Gives up every effect that is under way. */
  close(): void {
    this.#over.abort();
  }

  #spend(kind: "log" | "progress", text: string): void {
    if (!this.#account.admits(kind, text)) throw new WireError("it said more than its log limit");
  }

  #fetch({ requestId, request }: Extract<RunMessage, { type: "fetch" }>): void {
    const known = this.#pending.has(requestId) || !this.run.network;
    if (known || this.#pending.size >= FETCHES_PENDING_MAX)
      throw new WireError("it may not send this request");
    this.#pending.add(requestId);
    void this.#hooks.onFetch(request, this.#over.signal).then((answer) => {
      this.#pending.delete(requestId);
      if (!this.#over.signal.aborted) this.#reply(requestId, answer);
    });
  }
}

function stoppedOutcome(message: Extract<RunMessage, { type: "stopped" }>): SandboxOutcome {
  if (message.reason !== "threw") return { outcome: message.reason, message: message.message };
  const threw = { outcome: "threw", message: message.message } as const;
  return message.code === null ? threw : { ...threw, code: message.code };
}

function requireJson(text: string): void {
  if (nestsTooDeep(text)) throw new WireError("it sent a value that nests too deep");
  try {
    JSON.parse(text);
  } catch {
    throw new WireError("it sent a value that is not JSON");
  }
}
