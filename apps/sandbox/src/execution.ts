import type { FetchAnswer, FromSandbox, RunFrame, StopReason } from "@bulkhead/wire";
import { MESSAGE_CHARS_MAX, LOG_LINES_MAX } from "@bulkhead/wire";
import type ivm from "isolated-vm";
import { SYNC_GRACE_MS } from "./bounds.ts";
import { GuestVoice, type Ended } from "./guest-voice.ts";
import { Meter } from "./meter.ts";
import { ToolSyntaxError } from "./tool-code.ts";
import type { FreshContext, WarmIsolate } from "./warm-isolate.ts";

/** Which of its handles an ended run leaves behind. */
export type Aftermath = "clean" | "breached";

/** One run in a fresh context of a warm isolate; it says how it ended exactly once. */
export class Execution {
  readonly #frame: RunFrame;
  readonly #send: (message: FromSandbox) => void;
  readonly #isolate: WarmIsolate;
  readonly #fresh: FreshContext;
  readonly #meter: Meter;
  readonly #voice: GuestVoice;
  readonly #end = Promise.withResolvers<Ended>();
  /** What the guest said, while some of its code still runs. */
  #settled: Ended | null = null;
  #entered = 0;

  constructor(frame: RunFrame, isolate: WarmIsolate, send: (message: FromSandbox) => void) {
    this.#frame = frame;
    this.#send = send;
    this.#isolate = isolate;
    this.#meter = new Meter(frame.limits, (reason, message) => this.stop(reason, message));
    this.#fresh = isolate.takeContext();
    this.#voice = new GuestVoice(frame, send, {
      ring: (id) => this.#enter("ring", id, ""),
      answer: (id, answer) => this.fetched(id, answer),
      settle: (ended) => this.#settle(ended),
    });
  }

  /** Runs to the end, which the worker has been told when this resolves. */
  async run(): Promise<Aftermath> {
    this.#begin();
    const ended = await this.#end.promise;
    this.#meter.stop();
    this.#voice.silence();
    if (ended.breach) this.#isolate.dispose();
    const measures = this.#meter.measures(this.#isolate.heapMib());
    const { executionId } = this.#frame;
    if (ended.outcome === "returned")
      this.#send({ type: "returned", executionId, json: ended.text, measures });
    else {
      const message = ended.text.slice(0, MESSAGE_CHARS_MAX);
      this.#send({
        type: "stopped",
        executionId,
        reason: ended.outcome,
        message,
        code: ended.code,
        measures,
      });
    }
    this.#fresh.enter.release();
    this.#fresh.context.release();
    return ended.breach || this.#isolate.isDisposed ? "breached" : "clean";
  }

  get executionId(): string {
    return this.#frame.executionId;
  }

  fetched(requestId: number, answer: FetchAnswer): void {
    this.#voice.answered();
    void this.#enter("fetched", requestId, JSON.stringify(answer));
  }

  /** Ends the run from outside the guest; the process serves no other run after it. */
  stop(outcome: StopReason, text: string): void {
    this.#end.resolve({ outcome, text, code: null, breach: true });
  }

  #begin(): void {
    const { code, argumentsJson, contextJson, network, limits } = this.#frame;
    const { logBytes, resultBytes } = limits;
    const beginning = JSON.stringify({ network, logBytes, logLines: LOG_LINES_MAX, resultBytes });
    try {
      this.#voice.listenTo(this.#fresh.bridge);
      this.#fresh.enter.applySync(undefined, ["begin", beginning, argumentsJson, contextJson]);
      const tool = this.#isolate.toolFunction(this.#fresh, code);
      void this.#enter("call", tool.derefInto({ release: true }), "");
    } catch (error) {
      this.#refuse(error);
    }
  }

  #refuse(error: unknown): void {
    if (error instanceof ToolSyntaxError) {
      this.#end.resolve({ outcome: "threw", text: error.message, code: null, breach: false });
    } else if (this.#isolate.isDisposed) this.#outOfMemory();
    else this.stop("crashed", "The sandbox could not begin the run.");
  }

  #settle(ended: Ended): void {
    this.#settled ??= ended;
    this.#endWhenQuiet();
  }

  /** A run is over when its result is known and none of its code runs: its isolate is the next run's. */
  #endWhenQuiet(): void {
    if (this.#settled !== null && this.#entered === 0) this.#end.resolve(this.#settled);
  }

  /** Lets the guest run until it yields. Never rejects. */
  async #enter(
    name: string,
    first: number | string | ivm.Dereference<unknown>,
    second: string,
  ): Promise<void> {
    if (this.#isolate.isDisposed) return;
    this.#entered++;
    try {
      const timeout = Math.ceil(this.#meter.wallMsLeft) + SYNC_GRACE_MS;
      await this.#fresh.enter.apply(undefined, [name, first, second], { timeout });
    } catch (error) {
      this.#entryFailed(name, error);
    }
    this.#entered--;
    this.#endWhenQuiet();
  }

  #entryFailed(name: string, error: unknown): void {
    if (this.#isolate.isDisposed) return this.#outOfMemory();
    // The meter's own look at the clock comes first, unless this thread was held up.
    if (this.#meter.wallMsLeft <= 1)
      return this.stop("wall", `The tool ran longer than ${this.#frame.limits.wallMs} ms.`);
    if (name !== "uncaught") void this.#enter("uncaught", textOf(error), "");
  }

  /** Nobody but isolated-vm disposes of an isolate before its run has ended. */
  #outOfMemory(): void {
    this.stop("memory", `The tool needed more than ${this.#frame.limits.memoryMib} MiB of memory.`);
  }
}

/** isolated-vm copies an uncaught error's name and message; its stack has this process's paths and stays here. */
function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : "error";
}
