import type { JsonObject } from "../json/json.ts";
import type { DeviceKey } from "./device.ts";

/** For how long a process that holds devices is believed to live without a word; milliseconds. */
export const DEVICE_HOLDER_MS = 6_000;

/**
 * Why an invocation has no value. `failed` is the device's own word, the others are ours: with `offline`, `busy` and `too_large`
 * the device was not asked; with `lost` it was, and nobody can tell any more whether it has done it.
 */
export const DEVICE_REFUSALS = [
  "failed",
  "timeout",
  "aborted",
  "offline",
  "lost",
  "busy",
  "too_large",
] as const;
export type DeviceRefusal = (typeof DEVICE_REFUSALS)[number];

/** The end of an invocation: a value as JSON, or why there is none. */
export type DeviceAnswer =
  | { ok: true; valueJson: string }
  | { ok: false; code: DeviceRefusal; message: string };

/** What every such end of an invocation says after its reason: whoever repeats it may have it done twice. */
export const DEVICE_DONE_UNKNOWN = "whether it was done is not known";

/** An invocation that the device was asked for, and of which nothing is heard any more. */
export const deviceLost = (why: string): DeviceAnswer => ({
  ok: false,
  code: "lost",
  message: `${why} before it answered; ${DEVICE_DONE_UNKNOWN}`,
});

/** Messages between the processes that ask and those that hold devices' connections; `id` names the asking. */
export type DeviceMessage =
  | {
      type: "invoke";
      from: string;
      id: string;
      /** The one at which the asker found the device: another one of it was not asked. */
      connection: string;
      command: string;
      arguments: JsonObject;
      timeoutMs: number;
    }
  | { type: "cancel"; from: string; id: string }
  /** The connection ends: another one of the device has come, or it may be connected no more. */
  | { type: "close"; device: DeviceKey; connection: string | null; why: "replaced" | "removed" }
  | { type: "progress"; id: string; message: string }
  | { type: "answer"; id: string; answer: DeviceAnswer };

/** A process, and which of its connections. */
export interface DeviceHolder {
  process: string;
  connection: string;
}

/** A message was refused before it left: nobody will hear it. */
export class UnsentError extends Error {
  override readonly name = "UnsentError";
}

/**
 * Which process holds which device's connection, and messages between processes. A device has one connection: the latest. All of
 * it rejects with `service.unavailable` where Redis is away; a holder that finds nothing of what it holds says it anew.
 */
export interface DeviceLines {
  /** This process, as others send to it. */
  readonly self: string;
  /** The device is here from now on; answers where it was before, or `later` where a connection with a larger number has it. */
  take(device: DeviceKey, connection: string): Promise<DeviceHolder | null | "later">;
  /** Says that this process lives. False where that was not known, as after a Redis that was emptied, until what it holds is renewed. */
  live(): Promise<boolean>;
  /** Says it again of each, and that this process lives; answers the connections whose device is elsewhere by now. */
  renew(held: readonly (DeviceKey & { connection: string })[]): Promise<string[]>;
  /** The device is here no more; nothing where it is elsewhere. */
  release(device: DeviceKey, connection: string): Promise<void>;
  /** The process at which the device is, if that lives; null: the device is offline. */
  holderOf(device: DeviceKey): Promise<DeviceHolder | null>;
  /** The ids of the tenant's devices that are connected. */
  online(tenantId: string): Promise<string[]>;
  /** Whether the process is there only its answer tells. Rejects because of an UnsentError where it certainly hears nothing. */
  send(to: string, message: DeviceMessage): Promise<"sent" | "too_large">;
  /** Hears what is sent to this process, until the answered function is called; one listener at a time. */
  listen(onMessage: (message: DeviceMessage) => void): Promise<() => void>;
}
