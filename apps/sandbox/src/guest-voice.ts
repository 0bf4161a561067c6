import {
  FETCHES_PENDING_MAX,
  fetchRequest,
  JSON_DEPTH_MAX,
  LogAccount,
  nestsTooDeep,
  REFUSALS,
  type FetchAnswer,
  type FetchRequest,
  type FromSandbox,
  type Refusal,
  type RunFrame,
  type StopReason,
} from "@bulkhead/wire";
import { answer } from "./answers.ts";
import { Timers } from "./timers.ts";
import type { Bridge } from "./warm-isolate.ts";

/** How a run ended; after a breach its isolate and process are not used again. */
export interface Ended {
  outcome: "returned" | StopReason;
  /** The result as JSON, or the message. */
  text: string;
  code: Refusal | null;
  breach: boolean;
}

/** What the guest's words lead to. */
export interface Effects {
  ring(id: number): Promise<void>;
  answer(requestId: number, answer: FetchAnswer): void;
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
  readonly #effects: Effects;
  readonly #account: LogAccount;
  readonly #timers: Timers;
  #fetchesPending = 0;
  #bridge: Bridge | null = null;

  constructor(frame: RunFrame, send: (message: FromSandbox) => void, effects: Effects) {
    this.#frame = frame;
    this.#send = send;
    this.#effects = effects;
    this.#account = new LogAccount(frame.limits.logBytes);
    this.#timers = new Timers((id) => effects.ring(id));
  }

  listenTo(bridge: Bridge): void {
    this.#bridge = bridge;
    bridge.post = (operation, id, text, more) => this.#hear(operation, id, text, more);
    bridge.ask = (operation, text) => answer(operation, text);
  }

  /** From here on the guest is not heard any more, whatever of it still runs. */
  silence(): void {
    this.#timers.clearAll();
    if (this.#bridge === null) return;
    this.#bridge.post = () => undefined;
    this.#bridge.ask = () => "null";
  }

  /** One request less waits for the worker. */
  answered(): void {
    this.#fetchesPending--;
  }

  #hear(operation: string, id: number, text: string, more: string): void {
    if (isEnding(operation)) this.#ending(operation, text, more);
    else if (operation === "log" || operation === "progress") this.#say(operation, text, more);
    else if (operation === "timer") {
      if (!this.#timers.start(id, Number(text), more === "repeat")) this.#breach("too many timers");
    } else if (operation === "clear") this.#timers.clear(id);
    else if (operation === "fetch" && this.#frame.network) this.#fetch(id, text);
    else this.#breach("an unknown operation");
  }

  #breach(what: string): void {
    this.#effects.settle({
      outcome: "crashed",
      text: `The sandbox broke its rules: ${what}.`,
      code: null,
      breach: true,
    });
  }

  #ending(outcome: (typeof ENDINGS)[number], text: string, more: string): void {
    this.#timers.clearAll();
    const { resultBytes } = this.#frame.limits;
    if (outcome === "returned" && Buffer.byteLength(text) > resultBytes) {
      const message = `The result is larger than ${resultBytes} bytes as JSON.`;
      this.#effects.settle({ outcome: "result_too_large", text: message, code: null, breach: false });
      return;
    }
    if (outcome === "returned" && nestsTooDeep(text)) {
      const message = `The result nests deeper than ${JSON_DEPTH_MAX} levels.`;
      this.#effects.settle({ outcome: "output_invalid", text: message, code: null, breach: false });
      return;
    }
    const code = REFUSALS.find((refusal) => refusal === more) ?? null;
    this.#effects.settle({ outcome, text, code, breach: false });
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

  #fetch(requestId: number, text: string): void {
    this.#fetchesPending++;
    if (this.#fetchesPending > FETCHES_PENDING_MAX) return this.#breach("too many requests at one time");
    const request = readRequest(text);
    if (request === null) return this.#answer(requestId, "invalid_request", "The request can't be sent.");
    if (
      request.body !== null &&
      Buffer.byteLength(request.body, request.bodyEncoding) > this.#frame.limits.bytesOut
    ) {
      const message = `The request's body is over the limit of ${this.#frame.limits.bytesOut} bytes.`;
      return this.#answer(requestId, "network_limit", message);
    }
    this.#send({ type: "fetch", executionId: this.#frame.executionId, requestId, request: compact(request) });
  }

  #answer(requestId: number, code: Refusal, message: string): void {
    this.#effects.answer(requestId, { ok: false, code, message });
  }
}

/** Null for what the wire would refuse; the tool hears of it as of any other bad request. */
function readRequest(text: string): FetchRequest | null {
  try {
    const parsed = fetchRequest.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** A text that JSON would escape to more than double goes as base64: then the wire's bound holds for it. */
function compact(request: FetchRequest): FetchRequest {
  if (request.body === null || request.bodyEncoding === "base64") return request;
  const escaped = JSON.stringify(request.body).length;
  if (escaped <= request.body.length * 2 + 2) return request;
  return { ...request, body: Buffer.from(request.body).toString("base64"), bodyEncoding: "base64" };
}
