import {
  DEVICE_OFFLINE_MS,
  type Clock,
  type DeviceKey,
  type DeviceLines,
  type DeviceMessage,
  type DeviceStore,
} from "@bulkhead/core";
import type { Connecting } from "@bulkhead/tenants";
import type { WebSocket } from "ws";
import { BEATS, SOCKETS_MAX, UNREAD_BYTES_OF_ALL_MAX, type Beats } from "./bounds.ts";
import { DeviceConnection, notConnected, type ConnectionDeps } from "./device-connection.ts";
import { CLOSE, NOT_AVAILABLE } from "./frames.ts";

export interface HubDeps extends Pick<ConnectionDeps, "parseJson" | "renew" | "report"> {
  lines: DeviceLines;
  devices: Pick<DeviceStore, "came" | "saw">;
  clock: Clock;
  beats?: Readonly<Beats>;
  socketsMax?: number;
  unreadBytesMax?: number;
}

/** Times that an answer is told again where the other process can't be reached, and the pause before each; milliseconds. */
const TELL_TRIES_MAX = 5;
const TELL_AGAIN_MS = 1_000;
/** How long devices may take to leave when this process stops; milliseconds. */
const LEAVE_MS_MAX = 1_000;

/** The devices that are connected to this process. Nothing runs while there are none, and nothing is heard before the first. */
export class DeviceHub {
  readonly #deps: HubDeps;
  readonly #connections = new Map<string, DeviceConnection>();
  readonly #byDevice = new Map<string, DeviceConnection>();
  readonly #timers: NodeJS.Timeout[] = [];
  #listening: Promise<() => void> | null = null;
  #closing: Promise<void> | null = null;
  #unreadBytes = 0;

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#connections.size;
  }

  get isFull(): boolean {
    return this.#closing !== null || this.size >= (this.#deps.socketsMax ?? SOCKETS_MAX);
  }

  /** Holds the device from here on; whatever connection it had before is closed. */
  async accept(connecting: Connecting, socket: WebSocket): Promise<void> {
    const { device } = connecting;
    const { lines, parseJson, renew, report } = this.#deps;
    const tell = (to: string, message: DeviceMessage): void => void this.#tell(to, message);
    const unread = (bytes: number): void => void (this.#unreadBytes += bytes);
    const now = () => performance.now();
    const connection = new DeviceConnection(
      { parseJson, renew, tell, unread, now, report },
      connecting,
      socket,
    );
    this.#connections.set(connection.id, connection);
    connection.onClose(() => void this.#forget(connection));
    if (this.#closing !== null) return connection.close(CLOSE.goingAway, "the server stops");
    this.#beat();
    try {
      await this.#listen();
      const before = await lines.take(device, connection.id);
      if (before === "later") return connection.close(CLOSE.notAllowed, REPLACED);
      if (!connection.isOpen) return await this.#release(connection);
      const here = this.#byDevice.get(placeOf(device));
      this.#byDevice.set(placeOf(device), connection);
      here?.close(CLOSE.notAllowed, REPLACED);
      if (before && before.process !== lines.self)
        await lines.send(before.process, {
          type: "close",
          device: keyOf(device),
          connection: before.connection,
          why: "replaced",
        });
      // It may have been removed while it was let in.
      if (await this.#deps.devices.came(keyOf(device), connection.id, this.#deps.clock())) connection.letIn();
      else connection.close(CLOSE.notAllowed, REMOVED);
    } catch (error) {
      this.#deps.report("a device could not be let in", error);
      connection.close(CLOSE.tryLater, NOT_AVAILABLE);
    }
  }

  /** Every device is sent away, to another process; what they were asked ends as lost. Safe to call again. */
  close(): Promise<void> {
    return (this.#closing ??= this.#leave());
  }

  async #leave(): Promise<void> {
    this.#rest();
    const all = [...this.#connections.values()];
    const left = Promise.all(all.map((one) => new Promise<void>((resolve) => one.onClose(resolve))));
    for (const connection of all) connection.close(CLOSE.goingAway, "the server stops");
    await Promise.all(all.map((connection) => this.#release(connection)));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LEAVE_MS_MAX)));
    await Promise.race([left, late]);
    clearTimeout(timer);
    for (const connection of all) connection.cut();
    (await this.#listening?.catch(() => undefined))?.();
  }

  #listen(): Promise<() => void> {
    this.#listening ??= this.#deps.lines
      .listen((message) => this.#hear(message))
      .catch((error: unknown) => {
        // The next device tries again.
        this.#listening = null;
        throw error;
      });
    return this.#listening;
  }

  #hear(message: DeviceMessage): void {
    if (message.type === "invoke") {
      const connection = this.#connections.get(message.connection);
      if (connection) {
        connection.invoke(message);
        return this.#cutSlowest();
      }
      void this.#tell(message.from, { type: "answer", id: message.id, answer: notConnected() });
    }
    if (message.type === "cancel")
      for (const connection of this.#connections.values()) connection.cancel(message.from, message.id);
    if (message.type === "close") {
      const connection = this.#byDevice.get(placeOf(message.device));
      if (connection && (message.connection === null || message.connection === connection.id))
        connection.close(CLOSE.notAllowed, message.why === "replaced" ? REPLACED : REMOVED);
    }
  }

  /** Devices that read nothing would fill this process: of the tenant whose devices have most unread the slowest goes first. */
  #cutSlowest(): void {
    const max = this.#deps.unreadBytesMax ?? UNREAD_BYTES_OF_ALL_MAX;
    while (this.#unreadBytes > max) {
      const slowest = this.#slowest();
      if (slowest === null) return;
      const { unreadBytes, device } = slowest;
      const what = `of ${this.#unreadBytes} bytes that devices have not read ${device.deviceId} had ${unreadBytes}`;
      this.#deps.report("a device that reads too slowly was cut off", new Error(what));
      slowest.cut();
    }
  }

  #slowest(): DeviceConnection | null {
    const ofTenants = new Map<string, number>();
    for (const { device, unreadBytes } of this.#connections.values())
      ofTenants.set(device.tenantId, (ofTenants.get(device.tenantId) ?? 0) + unreadBytes);
    let found: DeviceConnection | null = null;
    let [most, ofMost] = [0, 0];
    for (const one of this.#connections.values()) {
      const ofTenant = ofTenants.get(one.device.tenantId) ?? 0;
      if (ofTenant < ofMost || (ofTenant === ofMost && one.unreadBytes <= most)) continue;
      [found, most, ofMost] = [one, one.unreadBytes, ofTenant];
    }
    return found;
  }

  async #forget(connection: DeviceConnection): Promise<void> {
    this.#connections.delete(connection.id);
    const place = placeOf(connection.device);
    if (this.#byDevice.get(place) === connection) this.#byDevice.delete(place);
    if (this.size === 0) this.#rest();
    if (this.#closing === null) await this.#release(connection);
  }

  /** A device that can't be given back is offline when its time is over. */
  async #release({ device, id }: DeviceConnection): Promise<void> {
    try {
      await this.#deps.lines.release(device, id);
    } catch (error) {
      this.#deps.report("a device could not be said to be offline", error);
    }
  }

  async #tell(to: string, message: DeviceMessage): Promise<void> {
    for (let tries = message.type === "progress" ? 1 : TELL_TRIES_MAX; ; tries -= 1)
      try {
        await this.#deps.lines.send(to, message);
        return;
      } catch (error) {
        if (tries === 1) return this.#deps.report("who asked a device could not be answered", error);
        await new Promise((resolve) => setTimeout(resolve, TELL_AGAIN_MS).unref());
      }
  }

  /** Does what is done again and again, while there are connections. */
  #beat(): void {
    if (this.#timers.length > 0) return;
    const { alive, renew, ping, saw } = this.#deps.beats ?? BEATS;
    const every = (ms: number, what: string, work: () => Promise<void>): void => {
      const timer = setInterval(() => {
        work().catch((error: unknown) => this.#deps.report(what, error));
      }, ms);
      this.#timers.push(timer);
    };
    every(alive, "this process could not say that it holds devices", async () => {
      if (!(await this.#deps.lines.live())) await this.#renew();
    });
    every(renew, "devices could not be said to be online", () => this.#renew());
    every(ping, "devices could not be pinged", async () => {
      for (const connection of this.#connections.values()) connection.ping();
    });
    every(alive, "silent devices could not be cut off", async () => {
      for (const connection of this.#connections.values())
        if (connection.silentMs > DEVICE_OFFLINE_MS) connection.cut();
    });
    every(saw, "devices could not be noted as seen", () => this.#saw());
  }

  #rest(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
  }

  async #renew(): Promise<void> {
    const held = [...this.#byDevice.values()].map(({ device, id }) => ({ ...keyOf(device), connection: id }));
    for (const id of await this.#deps.lines.renew(held))
      this.#connections.get(id)?.close(CLOSE.notAllowed, REPLACED);
  }

  async #saw(): Promise<void> {
    const held = [...this.#byDevice.values()];
    const may = new Set(
      await this.#deps.devices.saw(
        held.map(({ device }) => device.deviceId),
        this.#deps.clock(),
      ),
    );
    for (const connection of held)
      if (!may.has(connection.device.deviceId)) connection.close(CLOSE.notAllowed, REMOVED);
  }
}

const REPLACED = "another connection of the device has come";
const REMOVED = "the device was removed or is not enabled";

const keyOf = ({ tenantId, deviceId }: DeviceKey): DeviceKey => ({ tenantId, deviceId });
const placeOf = ({ tenantId, deviceId }: DeviceKey): string => `${tenantId}/${deviceId}`;
