import { CUT_MARK, LOG_LINES_MAX, MESSAGE_CHARS_MAX } from "../wire/bounds.ts";
import type { EffectAnswer, RunFrame } from "../wire/to-sandbox.ts";
import type { FromSandbox, SandboxMeasures } from "../wire/from-sandbox.ts";
import type { StopReason, StoppingLayer } from "../wire/stop-reasons.ts";
import type ivm from "isolated-vm";
import { answerEntry } from "./answer-entry.ts";
import { SYNC_GRACE_MS } from "./bounds.ts";
import type { Ended } from "./ending.ts";
import { releaseContext, type FreshContext } from "./fresh-context.ts";
import { GuestMessages } from "./guest-messages.ts";
import { overMemory, overWall } from "./limit-messages.ts";
import { Meter } from "./meter.ts";
import { ToolSyntaxError } from "./tool-code.ts";
import { UncaughtErrors } from "./uncaught-errors.ts";
import type { WarmIsolate } from "./warm-isolate.ts";

type EntryValue = number | string | ivm.Dereference<unknown>;

/** Whether an ended run leaves a sound isolate behind. */
export type Aftermath = "clean" | "breached";

/** One run in a fresh context of a warm isolate; it reports its end exactly once. */
export class Execution {
  readonly #frame: RunFrame;
  readonly #send: (message: FromSandbox) => void;
  readonly #isolate: WarmIsolate;
  readonly #fresh: FreshContext;
  readonly #meter: Meter;
  readonly #messages: GuestMessages;
  readonly #end = Promise.withResolvers<Ended>();
  /** The guest's report of the end, while some of its code still runs. */
  #settled: Ended | null = null;
  readonly #uncaught = new UncaughtErrors();
  #isWatching = false;
  #entered = 0;
  /** Lets in the entries that wait for one before them, the oldest first. */
  readonly #waiting: (() => void)[] = [];

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
    this.#messages = new GuestMessages(frame, send, {
      ring: (id) => this.#enter("ring", id),
      answer: (id, answer) => this.answered(id, answer),
      caught: (key) => this.#uncaught.caught(key),
      settle: (ended) => this.#settle(ended),
    });
  }

  /** Runs to the end; when this resolves the worker knows the end. */
  async run(): Promise<Aftermath> {
    this.#begin();
    const ended = await this.#end.promise;
    this.#meter.stop();
    this.#tellUncaught();
    this.#messages.silence();
    if (ended.breach) this.#isolate.dispose();
    const measures = this.#meter.measures((look) => this.#isolate.heapMib(look));
    this.#messages.sendLines();
    this.#send(verdictFrame(this.#frame.executionId, ended, measures));
    releaseContext(this.#fresh);
    return ended.breach || this.#isolate.isDisposed ? "breached" : "clean";
  }

  get executionId(): string {
    return this.#frame.executionId;
  }

  /** The usage so far, when V8 can't be asked any more. */
  measuresOutsideV8(): SandboxMeasures {
    return this.#meter.measures(() => 0);
  }

  /** Sends the guest's lines that still wait: the process ends. */
  sendLines(): void {
    this.#tellUncaught();
    this.#messages.sendLines();
  }

  /** Logs uncaught errors for a guest that broke a limit and can't do so any more. */
  #tellUncaught(): void {
    for (let text = this.#uncaught.take(); text !== null; text = this.#uncaught.take())
      this.#messages.tellUncaught(text);
  }

  answered(requestId: number, answer: EffectAnswer): void {
    if (this.#messages.answered(requestId, answer)) return;
    void this.#enter(...answerEntry(requestId, answer));
  }

  /** Ends the run from outside the guest; the process serves no other run after it. */
  stop(outcome: StopReason, text: string, layer: StoppingLayer = "process"): void {
    this.#end.resolve({ outcome, text, code: null, retryAfterMs: null, layer, breach: true });
  }

  #begin(): void {
    const { argumentsJson, contextJson, configJson, network, capabilities, limits } = this.#frame;
    const { logBytes, resultBytes } = limits;
    try {
      const { script, globals } = this.#isolate.tool(this.#fresh, this.#frame);
      this.#messages.listenTo(this.#fresh.bridge);
      const given = { network, ...(capabilities && { capabilities }) };
      const beginning = { ...given, logBytes, logLines: LOG_LINES_MAX, resultBytes, ...globals };
      const tool = script.runSync(this.#fresh.context, { reference: true }) as ivm.Reference<unknown>;
      const call = tool.derefInto({ release: true });
      void this.#enter("call", JSON.stringify(beginning), argumentsJson, contextJson, configJson, call);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #refuse(error: unknown): void {
    if (error instanceof ToolSyntaxError) {
      this.#end.resolve({
        outcome: "threw",
        text: error.message,
        code: null,
        retryAfterMs: null,
        layer: "guest",
        breach: false,
      });
    } else if (this.#isolate.isDisposed) this.#outOfMemory();
    else this.stop("crashed", "The sandbox could not begin the run.");
  }

  #settle(ended: Ended): void {
    this.#settled ??= ended;
    this.#endWhenQuiet();
  }

  /** A run is over when its result is known and none of its code runs: its isolate is the next run's. */
  #endWhenQuiet(): void {
    if (this.#entered > 0) return;
    this.#uncaught.settle();
    if (this.#settled === null) return;
    const text = this.#isolate.isDisposed ? null : this.#uncaught.take();
    if (text === null) this.#end.resolve(this.#settled);
    else void this.#enter("uncaught", text);
  }

  /**
   * Lets the guest run until it yields. Never rejects. Until the guest watches its rejections, entries go one after another:
   * the first rejection must begin the watch before a timer or an answer lets the guest catch it. They keep their order.
   */
  async #enter(name: string, ...values: EntryValue[]): Promise<void> {
    const mayGoAtOnce = this.#isWatching || this.#entered === 0;
    this.#entered++;
    if (!mayGoAtOnce) await new Promise<void>((go) => void this.#waiting.push(go));
    try {
      if (!this.#isolate.isDisposed) {
        const timeout = Math.ceil(this.#meter.wallMsLeft) + SYNC_GRACE_MS;
        await this.#fresh.enter.apply(undefined, [name, ...values], { timeout });
      }
    } catch (error) {
      this.#entryFailed(name, error);
    }
    this.#entered--;
    for (const go of this.#waiting.splice(0, this.#isWatching ? this.#waiting.length : 1)) go();
    this.#endWhenQuiet();
  }

  #entryFailed(name: string, error: unknown): void {
    if (this.#isolate.isDisposed) return this.#outOfMemory();
    // The meter's own look at the clock comes first, unless this thread was held up.
    if (this.#meter.wallMsLeft <= 1) return this.stop("wall", overWall(this.#frame.limits.wallMs));
    if (name === "uncaught" || name === "watch") return;
    const text = this.#uncaught.hold(error);
    if (!this.#isWatching) {
      this.#isWatching = true;
      void this.#enter("watch");
    }
    if (text !== null) void this.#enter("uncaught", text);
  }

  /** Nobody but isolated-vm disposes of an isolate before its run has ended. */
  #outOfMemory(): void {
    this.stop("memory", overMemory(this.#frame.limits.memoryMib), "isolate");
  }
}

/** The frame that reports a run's end to the worker; a long message is cut. */
function verdictFrame(executionId: string, ended: Ended, measures: SandboxMeasures): FromSandbox {
  const { outcome, text, layer, code, retryAfterMs } = ended;
  if (outcome === "returned") return { type: "returned", executionId, json: text, measures };
  const message = text.length > MESSAGE_CHARS_MAX ? cut(text) : text;
  return { type: "stopped", executionId, reason: outcome, layer, message, code, retryAfterMs, measures };
}

const cut = (text: string): string => text.slice(0, MESSAGE_CHARS_MAX - CUT_MARK.length) + CUT_MARK;
