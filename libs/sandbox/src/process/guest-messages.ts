import { CUT_MARK, EFFECTS_PENDING_MAX, FRAME_LINES_CHARS_MAX, FRAME_LINES_MAX } from "../wire/bounds.ts";
import { JSON_DEPTH_MAX, nestsTooDeep } from "../wire/json-depth.ts";
import { LogAccount } from "../wire/log-account.ts";
import type { EffectAnswer, RunFrame } from "../wire/to-sandbox.ts";
import type { FromSandbox, LogLine } from "../wire/from-sandbox.ts";
import { answer } from "./answers.ts";
import { effectFrame, type GuestRequest, type RefusedRequest } from "./effect-frame.ts";
import { breachOf, isEnding, judgeEnding, type Ended } from "./ending.ts";
import type { Bridge } from "./fresh-context.ts";
import { TextDecoders } from "./text-decoders.ts";
import { Timers } from "./timers.ts";

/** Receives the guest's messages. */
export interface Listener {
  ring(id: number): Promise<void>;
  answer(requestId: number, answer: EffectAnswer): void;
  /** An error by its key, which its promise had before anybody waited for it. */
  caught(key: string): void;
  settle(ended: Ended): void;
}

/** Characters of an uncaught error that is logged for the guest; in UTF-8 they fit into a line. */
const UNCAUGHT_CHARS_MAX = 2_000;

const isLevel = (level: string): level is "debug" | "info" | "warn" | "error" =>
  level === "debug" || level === "info" || level === "warn" || level === "error";

const REQUESTS: readonly string[] = [
  "effect",
  "effect64",
  "call",
  "sign",
  "sign64",
  "capability",
  "capability64",
] satisfies GuestRequest["kind"][];
const isRequest = (operation: string): operation is GuestRequest["kind"] => REQUESTS.includes(operation);

/** Receives one run's messages and holds them to those of an untampered guest; anything else is a breach. */
export class GuestMessages {
  readonly #frame: RunFrame;
  readonly #sendNow: (message: FromSandbox) => void;
  readonly #listener: Listener;
  readonly #account: LogAccount;
  readonly #timers: Timers;
  readonly #decoders = new TextDecoders();
  /** Lines that go together in the next frame, and how many characters they have. */
  #lines: LogLine[] = [];
  #lineChars = 0;
  #effectsPending = 0;
  #bridge: Bridge | null = null;
  /** The only question whose answer the guest's thread waits for. */
  #asked: { id: number; answer: (json: string) => void } | null = null;

  constructor(frame: RunFrame, send: (message: FromSandbox) => void, listener: Listener) {
    this.#frame = frame;
    this.#sendNow = send;
    this.#listener = listener;
    this.#account = new LogAccount(frame.limits.logBytes);
    this.#timers = new Timers((id) => listener.ring(id));
  }

  listenTo(bridge: Bridge): void {
    this.#bridge = bridge;
    bridge.post = (operation, id, text, more) => this.#hear(operation, id, text, more);
    bridge.ask = (operation, text, more) =>
      operation === "text.decode" ? this.#decoders.decode(text, more) : answer(operation, text);
    bridge.askWorker = (id, head) => this.#askWorker(id, head);
  }

  /** Sends the lines that wait to be sent together; the guest's next messages come after them. */
  sendLines(): void {
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#lines = [];
    this.#lineChars = 0;
    this.#sendNow({ type: "log", executionId: this.#frame.executionId, lines });
  }

  /** Ignores the guest from here on, even if some of its code still runs. */
  silence(): void {
    this.#timers.clearAll();
    this.#decoders.clear();
    if (this.#bridge === null) return;
    this.#bridge.post = () => undefined;
    this.#bridge.ask = () => "null";
    this.#bridge.askWorker = () => Promise.resolve("null");
  }

  /** One request less waits for the worker. True if the guest's thread waited for this answer, and has it now. */
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
      this.#effect({ kind: "effect", requestId: id, head, body: "" });
    });
  }

  #hear(operation: string, id: number, text: string, more: string): void {
    if (isEnding(operation)) {
      this.#timers.clearAll();
      this.#listener.settle(judgeEnding(operation, text, more, id, this.#frame.limits));
    } else if (operation === "log" || operation === "progress") this.#say(operation, text, more);
    else if (operation === "timer") {
      if (!this.#timers.start(id, Number(text), more === "repeat")) this.#breach("too many timers");
    } else if (operation === "clear") this.#timers.clear(id);
    else if (isRequest(operation)) this.#effect({ kind: operation, requestId: id, head: text, body: more });
    else if (operation === "caught") this.#listener.caught(text);
    else if (operation === "give_up")
      this.#send({ type: "give_up", executionId: this.#frame.executionId, requestId: id });
    else this.#breach("an unknown operation");
  }

  /** Logs it for the guest, which can't speak any more; nothing if the run's log is full. */
  tellUncaught(text: string): void {
    const shown = text.length > UNCAUGHT_CHARS_MAX ? text.slice(0, UNCAUGHT_CHARS_MAX) + CUT_MARK : text;
    const line = `Uncaught ${shown}`;
    if (this.#account.admits("log", line)) this.#addLine({ level: "error", text: line });
  }

  #send(message: FromSandbox): void {
    this.sendLines();
    this.#sendNow(message);
  }

  /** Other lines of this turn of the event loop are sent along. */
  #addLine(line: LogLine): void {
    if (this.#lines.length === 0) setImmediate(() => this.sendLines());
    this.#lines.push(line);
    this.#lineChars += line.text.length;
    if (this.#lines.length >= FRAME_LINES_MAX || this.#lineChars >= FRAME_LINES_CHARS_MAX) this.sendLines();
  }

  #breach(what: string): void {
    this.#listener.settle(breachOf(what));
  }

  #say(kind: "log" | "progress", text: string, level: string): void {
    if (!this.#account.admits(kind, text)) return this.#breach("more output than its limit");
    const { executionId } = this.#frame;
    if (kind === "progress" && nestsTooDeep(text)) {
      const warning = `An emitted value was left out: it nests deeper than ${JSON_DEPTH_MAX} levels.`;
      this.#addLine({ level: "warn", text: warning });
    } else if (kind === "progress") this.#send({ type: "progress", executionId, json: text });
    else this.#addLine({ level: isLevel(level) ? level : "info", text });
  }

  #effect(request: GuestRequest): void {
    this.#effectsPending++;
    const frame =
      this.#effectsPending > EFFECTS_PENDING_MAX ? overMany(request) : effectFrame(request, this.#frame);
    if ("type" in frame) this.#send(frame);
    else this.#listener.answer(request.requestId, { ok: false, ...frame });
  }
}

/** Given up ones count until the worker has answered them: a tool may ask and give up as fast as it likes. */
const overMany = ({ kind }: GuestRequest): RefusedRequest => ({
  code: kind === "call" ? "call_limit" : "network_limit",
  message: `More than ${EFFECTS_PENDING_MAX} requests wait for an answer, given up ones included.`,
});

const TOO_MANY = JSON.stringify({
  ok: false,
  code: "call_limit",
  message: `more than ${EFFECTS_PENDING_MAX} requests wait for an answer`,
});
