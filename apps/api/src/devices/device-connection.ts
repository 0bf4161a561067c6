import {
  DEVICE_DONE_UNKNOWN,
  DEVICE_FRAME_BYTES_MAX,
  deviceLost,
  type Device,
  type DeviceAnswer,
  type DeviceCommand,
  type DeviceMessage,
} from "@bulkhead/core";
import type { Connecting } from "@bulkhead/tenants";
import type { RawData, WebSocket } from "ws";
import {
  ERROR_CHARS_MAX,
  INVOCATIONS_MAX,
  MESSAGE_WEIGHT_BYTES,
  MESSAGES_BURST,
  MESSAGES_PER_SECOND,
  PROGRESS_CHARS_MAX,
  PROGRESS_MAX,
  UNREAD_BYTES_MAX,
} from "./bounds.ts";
import { CLOSE, readFrame, type FromDevice, type ToDevice } from "./frames.ts";
import { KeptOffers } from "./kept-offers.ts";

/** Bytes that the reason of a close may have. */
const REASON_BYTES_MAX = 123;

type Invoke = Extract<DeviceMessage, { type: "invoke" }>;

export interface ConnectionDeps {
  /** Parses a message as any body is parsed; throws for what is none. */
  parseJson(text: string): unknown;
  /** Tells the process that asked. */
  tell(to: string, message: DeviceMessage): void;
  /** The device says anew what it offers, by this connection; rejects with a fault where that can't be taken. */
  renew(device: Device, connection: string, commands: readonly DeviceCommand[]): Promise<void>;
  /** So many bytes more wait to be read by a device, or so many fewer. */
  unread(bytes: number): void;
  now(): number;
  report(what: string, error: unknown): void;
}

/** Who asked; the arguments are not kept while a device works on them. */
type Asked = Pick<Invoke, "from" | "id">;

interface Pending {
  asked: Asked;
  timer: NodeJS.Timeout;
  progress: number;
}

/** One web socket of a device: what it is asked, what it answers, and how much of both. */
export class DeviceConnection {
  /** Its number. */
  readonly id: string;
  readonly device: Device;
  readonly #deps: ConnectionDeps;
  readonly #socket: WebSocket;
  readonly #offers: KeptOffers;
  readonly #pending = new Map<string, Pending>();
  /** Messages that it may send now, and since when that holds. */
  #allowance = { left: MESSAGES_BURST, at: 0 };
  #heardAt: number;
  #invocations = 0;
  #unreadBytes = 0;
  #isGone = false;

  constructor(deps: ConnectionDeps, { device, connection }: Connecting, socket: WebSocket) {
    this.#deps = deps;
    this.id = connection;
    this.device = device;
    this.#offers = new KeptOffers({
      keep: (commands) => deps.renew(device, connection, commands),
      isOpen: () => this.isOpen,
      close: (code, reason) => this.close(code, reason),
      now: () => deps.now(),
      report: (what, error) => deps.report(what, error),
    });
    this.#socket = socket;
    this.#heardAt = deps.now();
    this.#allowance.at = this.#heardAt;
    socket.on("message", (data, isBinary) => this.#hear(data, isBinary));
    socket.on("pong", () => (this.#heardAt = deps.now()));
    socket.on("ping", () => this.#take(0));
    // A socket that breaks closes right after; what is no frame of the protocol breaks it.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#loseAll();
      this.#forget();
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get #isBehind(): boolean {
    return this.#unreadBytes > UNREAD_BYTES_MAX;
  }

  /** Bytes that wait for it to read them. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  /** Milliseconds since it was last heard. */
  get silentMs(): number {
    return this.#deps.now() - this.#heardAt;
  }

  /** A device that still has much unread would fill this process. */
  ping(): void {
    if (this.#isBehind) this.cut();
    else if (this.isOpen) this.#socket.ping();
  }

  /** Ends it in order; one that doesn't answer is cut off. */
  close(code: number, reason: string): void {
    this.#loseAll();
    this.#socket.close(code, cut(reason));
  }

  /** Ends it at once, and what it has not read is thrown away. */
  cut(): void {
    this.#loseAll();
    this.#forget();
    this.#socket.terminate();
  }

  /** What it has not read is no more. */
  #forget(): void {
    this.#count(-this.#unreadBytes);
    this.#isGone = true;
  }

  onClose(then: () => void): void {
    this.#socket.once("close", then);
  }

  /** Has the device do it; the answer goes to who asked, once. */
  invoke(asked: Invoke): void {
    if (!this.isOpen) return this.#answer(asked, notConnected());
    if (this.#pending.size >= INVOCATIONS_MAX)
      return this.#answer(asked, refusal("busy", `the device works on ${INVOCATIONS_MAX} commands already`));
    if (this.#isBehind)
      return this.#answer(asked, refusal("busy", "the device has not read yet what it was asked before"));
    this.#invocations += 1;
    const id = `i${this.#invocations}`;
    const { from, id: askedId, command, arguments: args, timeoutMs } = asked;
    const text = JSON.stringify({
      type: "invoke",
      id,
      command,
      arguments: args,
      timeoutMs,
    } satisfies ToDevice);
    if (Buffer.byteLength(text) > DEVICE_FRAME_BYTES_MAX)
      return this.#answer(
        asked,
        refusal(
          "too_large",
          `the arguments are larger than the ${DEVICE_FRAME_BYTES_MAX} bytes of a message`,
        ),
      );
    const timer = setTimeout(() => {
      this.#send({ type: "cancel", id });
      const why = `the device did not answer within ${timeoutMs} ms; ${DEVICE_DONE_UNKNOWN}`;
      this.#end(id, refusal("timeout", why));
    }, timeoutMs);
    this.#pending.set(id, { asked: { from, id: askedId }, timer, progress: 0 });
    this.#sendText(text);
  }

  /** Whoever asked wants no answer any more. */
  cancel(from: string, askedId: string): void {
    for (const [id, { asked, timer }] of this.#pending) {
      if (asked.from !== from || asked.id !== askedId) continue;
      clearTimeout(timer);
      this.#pending.delete(id);
      this.#send({ type: "cancel", id });
    }
  }

  #hear(data: RawData, isBinary: boolean): void {
    // What it says while its end is on the way to it would be a removed device's word.
    if (!this.isOpen) return;
    // `ws` hands over one buffer, as its `binaryType` is by default.
    const bytes = data as Buffer;
    if (!this.#take(bytes.byteLength / MESSAGE_WEIGHT_BYTES)) return;
    if (isBinary) return this.close(CLOSE.notAllowed, "messages are JSON in text");
    let said: unknown;
    try {
      said = this.#deps.parseJson(bytes.toString());
    } catch {
      return this.close(CLOSE.notAllowed, "the message is no JSON that can be taken");
    }
    const read = readFrame(said);
    if ("why" in read) return this.close(CLOSE.notAllowed, `the message is not valid: ${read.why}`);
    this.#handle(read.frame);
  }

  /** It was heard, and may send on; false where it has sent too much, and is disconnected. */
  #take(weight: number): boolean {
    const now = this.#deps.now();
    this.#heardAt = now;
    const { left, at } = this.#allowance;
    const grown = Math.min(MESSAGES_BURST, left + ((now - at) / 1_000) * MESSAGES_PER_SECOND);
    this.#allowance = { left: grown - 1 - weight, at: now };
    if (this.#allowance.left >= 0) return true;
    this.close(CLOSE.notAllowed, "too many messages");
    return false;
  }

  #handle(frame: FromDevice): void {
    if (frame.type === "hello") return this.#offers.hear(frame.commands);
    const pending = this.#pending.get(frame.id);
    // What comes after the end of an invocation is dropped.
    if (!pending) return;
    if (frame.type === "progress") {
      pending.progress += 1;
      const { from, id } = pending.asked;
      const message = frame.message.slice(0, PROGRESS_CHARS_MAX);
      if (pending.progress <= PROGRESS_MAX) this.#deps.tell(from, { type: "progress", id, message });
      return;
    }
    const { ok, value = null, error = "the device gave no reason" } = frame;
    this.#end(
      frame.id,
      ok
        ? { ok: true, valueJson: JSON.stringify(value) }
        : refusal("failed", error.slice(0, ERROR_CHARS_MAX)),
    );
  }

  /** The device is here, and no earlier connection of it says anything any more: what it offers counts. */
  letIn(): void {
    void this.#offers.keep();
  }

  #send(frame: ToDevice): void {
    this.#sendText(JSON.stringify(frame));
  }

  #sendText(text: string): void {
    if (!this.isOpen) return;
    const bytes = Buffer.byteLength(text);
    this.#count(bytes);
    this.#socket.send(text, () => this.#count(-bytes));
  }

  #count(bytes: number): void {
    if (this.#isGone) return;
    this.#unreadBytes += bytes;
    this.#deps.unread(bytes);
  }

  #end(id: string, answer: DeviceAnswer): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    clearTimeout(pending.timer);
    this.#pending.delete(id);
    this.#answer(pending.asked, answer);
  }

  #answer({ from, id }: Asked, answer: DeviceAnswer): void {
    this.#deps.tell(from, { type: "answer", id, answer });
  }

  #loseAll(): void {
    const answer = deviceLost("the device's connection ended");
    for (const id of this.#pending.keys()) this.#end(id, answer);
  }
}

const refusal = (code: Extract<DeviceAnswer, { ok: false }>["code"], message: string): DeviceAnswer => ({
  ok: false,
  code,
  message,
});

/** It has not been asked. */
export const notConnected = (): DeviceAnswer => refusal("offline", "the device is not connected any more");

function cut(reason: string): string {
  let text = reason.slice(0, REASON_BYTES_MAX);
  while (Buffer.byteLength(text) > REASON_BYTES_MAX) text = text.slice(0, -1);
  return text.toWellFormed();
}
