import {
  CALL_ARGUMENTS_BYTES_MAX,
  EFFECT_HEAD_CHARS_MAX,
  EFFECTS_PENDING_MAX,
  fromSandboxBytesMax,
  JSON_DEPTH_MAX,
  LogAccount,
  nestsTooDeep,
  REFUSALS,
  type EffectAnswer,
  type FromSandbox,
  type Refusal,
  type RunFrame,
  type StopReason,
  type StoppingLayer,
} from "@bulkhead/wire/sandbox";
import { answer } from "./answers.ts";
import { Timers } from "./timers.ts";
import type { Bridge } from "./warm-isolate.ts";

/** How a run ended; after a breach its isolate and process are not used again. */
export interface Ended {
  outcome: "returned" | StopReason;
  /** The result as JSON, or the message. */
  text: string;
  code: Refusal | null;
  layer: StoppingLayer;
  breach: boolean;
}

/** What the guest's words lead to. */
export interface Listener {
  ring(id: number): Promise<void>;
  answer(requestId: number, answer: EffectAnswer): void;
  settle(ended: Ended): void;
}

const ENDINGS = ["returned", "threw", "output_invalid", "result_too_large"] as const;
const isEnding = (operation: string): operation is (typeof ENDINGS)[number] =>
  (ENDINGS as readonly string[]).includes(operation);
const isLevel = (level: string): level is "debug" | "info" | "warn" | "error" =>
  level === "debug" || level === "info" || level === "warn" || level === "error";

/** Hears one run's guest and holds it to what an untampered guest would say; anything else is a breach. */
export class GuestVoice {
  readonly #frame: RunFrame;
  readonly #send: (message: FromSandbox) => void;
  readonly #listener: Listener;
  readonly #account: LogAccount;
  readonly #timers: Timers;
  #effectsPending = 0;
  #bridge: Bridge | null = null;
  /** The one question whose answer the guest's thread waits for. */
  #asked: { id: number; answer: (json: string) => void } | null = null;

  constructor(frame: RunFrame, send: (message: FromSandbox) => void, listener: Listener) {
    this.#frame = frame;
    this.#send = send;
    this.#listener = listener;
    this.#account = new LogAccount(frame.limits.logBytes);
    this.#timers = new Timers((id) => listener.ring(id));
  }

  listenTo(bridge: Bridge): void {
    this.#bridge = bridge;
    bridge.post = (operation, id, text, more) => this.#hear(operation, id, text, more);
    bridge.ask = (operation, text) => answer(operation, text);
    bridge.askWorker = (id, head) => this.#askWorker(id, head);
  }

  /** From here on the guest is not heard any more, whatever of it still runs. */
  silence(): void {
    this.#timers.clearAll();
    if (this.#bridge === null) return;
    this.#bridge.post = () => undefined;
    this.#bridge.ask = () => "null";
    this.#bridge.askWorker = () => Promise.resolve("null");
  }

  /** One request less waits for the worker. True where the guest's thread waited for this answer, and has it now. */
  answered(requestId: number, given: EffectAnswer): boolean {
    this.#effectsPending--;
    if (this.#asked?.id !== requestId) return false;
    this.#asked.answer(JSON.stringify(given));
    this.#asked = null;
    return true;
  }

  #askWorker(id: number, head: string): Promise<string> {
    if (this.#effectsPending >= EFFECTS_PENDING_MAX) return Promise.resolve(TOO_MANY);
    return new Promise((resolve) => {
      this.#asked = { id, answer: resolve };
      this.#effect(id, head, "", "effect");
    });
  }

  #hear(operation: string, id: number, text: string, more: string): void {
    if (isEnding(operation)) this.#ending(operation, text, more);
    else if (operation === "log" || operation === "progress") this.#say(operation, text, more);
    else if (operation === "timer") {
      if (!this.#timers.start(id, Number(text), more === "repeat")) this.#breach("too many timers");
    } else if (operation === "clear") this.#timers.clear(id);
    else if (operation === "effect" || operation === "effect64" || operation === "call")
      this.#effect(id, text, more, operation);
    else if (operation === "give_up")
      this.#send({ type: "give_up", executionId: this.#frame.executionId, requestId: id });
    else this.#breach("an unknown operation");
  }

  #breach(what: string): void {
    this.#listener.settle({
      outcome: "crashed",
      text: `The sandbox broke its rules: ${what}.`,
      code: null,
      layer: "guest",
      breach: true,
    });
  }

  #ending(outcome: (typeof ENDINGS)[number], text: string, more: string): void {
    this.#timers.clearAll();
    const { resultBytes } = this.#frame.limits;
    if (outcome === "returned" && Buffer.byteLength(text) > resultBytes) {
      const message = `The result is larger than ${resultBytes} bytes as JSON (limits.resultBytes).`;
      this.#listener.settle({
        outcome: "result_too_large",
        text: message,
        code: null,
        layer: "guest",
        breach: false,
      });
      return;
    }
    if (outcome === "returned" && nestsTooDeep(text)) {
      const message = `The result nests deeper than ${JSON_DEPTH_MAX} levels.`;
      this.#listener.settle({
        outcome: "output_invalid",
        text: message,
        code: null,
        layer: "guest",
        breach: false,
      });
      return;
    }
    const code = REFUSALS.find((refusal) => refusal === more) ?? null;
    this.#listener.settle({ outcome, text, code, layer: "guest", breach: false });
  }

  #say(kind: "log" | "progress", text: string, level: string): void {
    if (!this.#account.admits(kind, text)) return this.#breach("more output than its limit");
    const { executionId } = this.#frame;
    if (kind === "progress" && nestsTooDeep(text)) {
      const warning = `An emitted value was left out: it nests deeper than ${JSON_DEPTH_MAX} levels.`;
      this.#send({ type: "log", executionId, level: "warn", text: warning });
    } else if (kind === "progress") this.#send({ type: "progress", executionId, json: text });
    else this.#send({ type: "log", executionId, level: isLevel(level) ? level : "info", text });
  }

  #effect(requestId: number, head: string, body: string, kind: "effect" | "effect64" | "call"): void {
    this.#effectsPending++;
    // Given up ones count until the worker has answered them: a tool may ask and give up as fast as it likes.
    if (this.#effectsPending > EFFECTS_PENDING_MAX) {
      const message = `More than ${EFFECTS_PENDING_MAX} requests wait for an answer, given up ones included.`;
      return this.#refuse(requestId, kind === "call" ? "call_limit" : "network_limit", message);
    }
    const isBase64 = kind === "effect64";
    const bytes = isBase64 ? Math.floor((body.length * 3) / 4) : Buffer.byteLength(body);
    const { executionId, limits } = this.#frame;
    if (head.length > EFFECT_HEAD_CHARS_MAX)
      return this.#refuse(requestId, "invalid_request", "The request's URL or headers are too long.");
    if (kind === "call" && bytes > CALL_ARGUMENTS_BYTES_MAX) {
      const message = `The arguments of the call are over ${CALL_ARGUMENTS_BYTES_MAX} bytes as JSON (limits.resultBytes).`;
      return this.#refuse(requestId, "invalid_request", message);
    }
    if (kind !== "call" && bytes > limits.bytesOut) {
      const message = `the request's body is over the limit of ${limits.bytesOut} bytes (limits.bytesOut)`;
      return this.#refuse(requestId, "network_limit", message);
    }
    const packed = isBase64 ? { body, bodyEncoding: "base64" as const } : pack(body);
    const frame = { type: "effect", executionId, requestId, head, ...packed } as const;
    if (jsonBytes(head) + jsonBytes(packed.body) > fromSandboxBytesMax(limits) - FRAME_BYTES)
      return this.#refuse(requestId, "invalid_request", "The request is too long to be sent.");
    this.#send(frame);
  }

  #refuse(requestId: number, code: Refusal, message: string): void {
    this.#listener.answer(requestId, { ok: false, code, message });
  }
}

const TOO_MANY = JSON.stringify({
  ok: false,
  code: "call_limit",
  message: `more than ${EFFECTS_PENDING_MAX} requests wait for an answer`,
});

/** What an effect's frame has beside its head and body. */
const FRAME_BYTES = 1_024;

const jsonBytes = (text: string | null): number =>
  text === null ? 4 : Buffer.byteLength(JSON.stringify(text));

/** A text that JSON would escape to more than double goes as base64: then the wire's bound holds for it. */
function pack(body: string): { body: string | null; bodyEncoding: "utf8" | "base64" } {
  // The guest's bridge has no word for a request without a body.
  if (body === "") return { body: null, bodyEncoding: "utf8" };
  const escaped = JSON.stringify(body).length;
  if (escaped <= body.length * 2 + 2) return { body, bodyEncoding: "utf8" };
  return { body: Buffer.from(body).toString("base64"), bodyEncoding: "base64" };
}
