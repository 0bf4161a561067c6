import {
  DEVICE_DONE_UNKNOWN,
  deviceLost,
  Fault,
  UnsentError,
  type DeviceAnswer,
  type DeviceHolder,
  type DeviceKey,
  type DeviceLines,
  type DeviceMessage,
  type JsonObject,
} from "@bulkhead/core";
import { randomUUID } from "node:crypto";
import { LOOK_EVERY_MS, LOOKS_AWAY_MAX, WAY_MS } from "./bounds.ts";

export interface AskDeviceDeps {
  lines: DeviceLines;
  report: (what: string, error: unknown) => void;
  lookMs?: number;
  wayMs?: number;
}

export interface Asking {
  device: DeviceKey;
  command: string;
  arguments: JsonObject;
  timeoutMs: number;
}

interface Pending {
  end(answer: DeviceAnswer): void;
  onProgress(message: string): void;
}

/** Asks the processes that hold devices' connections. Nothing is heard before the first asking. */
export class DeviceAsker {
  readonly #deps: AskDeviceDeps;
  readonly #pending = new Map<string, Pending>();
  #listening: Promise<() => void> | null = null;

  constructor(deps: AskDeviceDeps) {
    this.#deps = deps;
  }

  /**
   * The device's answer, or why there is none: it is offline, its process has gone, its time is over, or the signal has fired.
   * Rejects with `service.unavailable` where Redis is away before it is asked; from then on it may have done it.
   */
  async ask(
    { device, ...asked }: Asking,
    onProgress: (message: string) => void,
    signal: AbortSignal,
  ): Promise<DeviceAnswer> {
    const { lines } = this.#deps;
    await this.#listen();
    const holder = await lines.holderOf(device);
    if (holder === null) return refusal("offline", "the device is not connected");
    const id = randomUUID();
    const answered = Promise.withResolvers<DeviceAnswer>();
    this.#pending.set(id, { end: answered.resolve, onProgress });
    const giveUp = (answer: DeviceAnswer): void => {
      answered.resolve(answer);
      this.#tell(holder, { type: "cancel", from: lines.self, id });
    };
    const cancel = (): void => giveUp(refusal("aborted", "the call was given up"));
    let [isLooking, looksAway] = [false, 0];
    const look = async (): Promise<void> => {
      if (isLooking) return;
      isLooking = true;
      looksAway = (await this.#isAt(holder, device, id)) ? 0 : looksAway + 1;
      isLooking = false;
      // One that Redis has lost, and that nobody waits for any more, would work on.
      if (looksAway === LOOKS_AWAY_MAX) giveUp(deviceLost("the device's connection ended"));
    };
    const looking = setInterval(() => void look(), this.#deps.lookMs ?? LOOK_EVERY_MS);
    // The holder keeps the time; it is late only where nothing comes back any more.
    const late = setTimeout(
      () =>
        answered.resolve(
          refusal("timeout", `nothing came back within ${asked.timeoutMs} ms; ${DEVICE_DONE_UNKNOWN}`),
        ),
      asked.timeoutMs + (this.#deps.wayMs ?? WAY_MS),
    );
    signal.addEventListener("abort", cancel);
    try {
      if (signal.aborted) return refusal("aborted", "the call was given up");
      const { process, connection } = holder;
      const invoke = { type: "invoke", from: lines.self, id, connection, ...asked } as const;
      const sent = await lines.send(process, invoke).catch((error: unknown) => {
        if (error instanceof Fault && error.cause instanceof UnsentError) {
          this.#deps.report("a device could not be asked", error);
          return "unsent";
        }
        this.#deps.report("nobody knows whether a device was asked", error);
        giveUp(deviceLost("the way to the device broke"));
        return "lost";
      });
      if (sent === "too_large") return refusal("too_large", "the arguments are larger than a message may be");
      if (sent === "unsent") return refusal("offline", "the way to the device is blocked; it was not asked");
      return await answered.promise;
    } finally {
      signal.removeEventListener("abort", cancel);
      clearInterval(looking);
      clearTimeout(late);
      this.#pending.delete(id);
    }
  }

  /** Whoever waits is told that nobody knows. Safe to call again. */
  async close(): Promise<void> {
    for (const pending of this.#pending.values()) pending.end(deviceLost("the worker stopped"));
    const listening = this.#listening;
    this.#listening = null;
    (await listening?.catch(() => undefined))?.();
  }

  #listen(): Promise<() => void> {
    this.#listening ??= this.#deps.lines
      .listen((message) => this.#hear(message))
      .catch((error: unknown) => {
        // The next asking tries again.
        this.#listening = null;
        throw error;
      });
    return this.#listening;
  }

  /** What comes after the end is dropped. */
  #hear(message: DeviceMessage): void {
    if (message.type === "answer") this.#pending.get(message.id)?.end(message.answer);
    if (message.type === "progress") this.#pending.get(message.id)?.onProgress(message.message);
  }

  /** A device that has come elsewhere has lost what it was asked; so has one whose process has gone. */
  async #isAt(asked: DeviceHolder, device: DeviceKey, id: string): Promise<boolean> {
    try {
      const holder = await this.#deps.lines.holderOf(device);
      return holder?.process === asked.process && holder.connection === asked.connection;
    } catch (error) {
      if (this.#pending.has(id)) this.#deps.report("nobody knows whether a device is still connected", error);
      return true;
    }
  }

  #tell(holder: DeviceHolder, message: DeviceMessage): void {
    this.#deps.lines.send(holder.process, message).catch((error: unknown) => {
      this.#deps.report("a device could not be told that nobody waits any more", error);
    });
  }
}

const refusal = (code: Extract<DeviceAnswer, { ok: false }>["code"], message: string): DeviceAnswer => ({
  ok: false,
  code,
  message,
});
