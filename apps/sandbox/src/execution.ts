import type { EffectAnswer, FromSandbox, RunFrame, StopReason, StoppingLayer } from "@bulkhead/wire/sandbox";
import { MESSAGE_CHARS_MAX, LOG_LINES_MAX } from "@bulkhead/wire/sandbox";
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

  constructor(
    frame: RunFrame,
    isolate: WarmIsolate,
    fresh: FreshContext,
    send: (message: FromSandbox) => void,
  ) {
    this.#frame = frame;
    this.#send = send;
    this.#isolate = isolate;
    this.#meter = new Meter(frame.limits, (reason, message) => this.stop(reason, message));
    this.#fresh = fresh;
    this.#voice = new GuestVoice(frame, send, {
      ring: (id) => this.#enter("ring", id),
      answer: (id, answer) => this.answered(id, answer),
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
    const measures = this.#meter.measures((look) => this.#isolate.heapMib(look));
    const { executionId } = this.#frame;
    if (ended.outcome === "returned")
      this.#send({ type: "returned", executionId, json: ended.text, measures });
    else {
      const message = ended.text.slice(0, MESSAGE_CHARS_MAX);
      this.#send({
        type: "stopped",
        executionId,
        reason: ended.outcome,
        layer: ended.layer,
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

  answered(requestId: number, answer: EffectAnswer): void {
    if (this.#voice.answered(requestId, answer)) return;
    if (!answer.ok) void this.#enter("refused", requestId, answer.code, answer.message);
    else
      void this.#enter(
        answer.bodyEncoding === "base64" ? "answered64" : "answered",
        requestId,
        answer.head,
        answer.body ?? "",
      );
  }

  /** Ends the run from outside the guest; the process serves no other run after it. */
  stop(outcome: StopReason, text: string, layer: StoppingLayer = "process"): void {
    this.#end.resolve({ outcome, text, code: null, layer, breach: true });
  }

  #begin(): void {
    const { code, argumentsJson, contextJson, configJson, network, limits } = this.#frame;
    const { logBytes, resultBytes } = limits;
    try {
      const { script, globals } = this.#isolate.tool(this.#fresh, code, network);
      this.#voice.listenTo(this.#fresh.bridge);
      const beginning = { network, logBytes, logLines: LOG_LINES_MAX, resultBytes, ...globals };
      const tool = script.runSync(this.#fresh.context, { reference: true }) as ivm.Reference<unknown>;
      const call = tool.derefInto({ release: true });
      void this.#enter("call", JSON.stringify(beginning), argumentsJson, contextJson, configJson, call);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #refuse(error: unknown): void {
    if (error instanceof ToolSyntaxError) {
      this.#end.resolve({ outcome: "threw", text: error.message, code: null, layer: "guest", breach: false });
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
  async #enter(name: string, ...values: (number | string | ivm.Dereference<unknown>)[]): Promise<void> {
    if (this.#isolate.isDisposed) return;
    this.#entered++;
    try {
      const timeout = Math.ceil(this.#meter.wallMsLeft) + SYNC_GRACE_MS;
      await this.#fresh.enter.apply(undefined, [name, ...values], { timeout });
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
      return this.stop("wall", `The tool ran longer than ${this.#frame.limits.wallMs} ms (limits.wallMs).`);
    if (name !== "uncaught") void this.#enter("uncaught", textOf(error));
  }

  /** Nobody but isolated-vm disposes of an isolate before its run has ended. */
  #outOfMemory(): void {
    this.stop(
      "memory",
      `The tool needed more than ${this.#frame.limits.memoryMib} MiB of memory (limits.memoryMib).`,
      "isolate",
    );
  }
}

/** isolated-vm's words for what was thrown and is no error; it says no more of it. */
const NO_ERROR = /^An object was thrown from supplied code within isolated-vm/;
const TOOL_PLACE = /\btool\.js:\d+:\d+/;

/** isolated-vm copies an uncaught error; its stack has this process's paths, so only the place in the tool leaves. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return "error";
  if (NO_ERROR.test(error.message)) return "a value that is no Error";
  const place = TOOL_PLACE.exec(error.stack ?? "")?.[0];
  return `${error.name}: ${error.message}${place === undefined ? "" : ` (${place})`}`;
}
