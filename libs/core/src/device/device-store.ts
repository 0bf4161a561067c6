import type {
  Device,
  DeviceBinding,
  DeviceCommand,
  DeviceKey,
  DeviceSummary,
  PairingCode,
} from "./device.ts";

export interface DevicePage {
  /** Only these, or only others. */
  ids?: { among: readonly string[]; isIn: boolean };
  /** A part of its name or its platform, whatever its case. */
  q?: string;
  /** The id of the last device of the page before. */
  before?: string;
  limit: number;
}

export type DeviceChange = Partial<Pick<Device, "name" | "enabled">>;

/** What a code is exchanged for: the device as it names itself. */
export interface NewDevice extends Pick<Device, "deviceId" | "name" | "platform" | "commands" | "createdAt"> {
  tokenHash: string;
}

/** Devices and the codes that let them in. Every look-up but those by a hash names the tenant; another's do not exist. */
export interface DeviceStore {
  /** Drops the tenant's codes that are too old. False where it has too many open ones, or is gone. */
  makeCode(code: PairingCode, openMax: number, at: Date): Promise<boolean>;
  /** The code that is open at this moment. */
  findCode(codeHash: string, at: Date): Promise<Pick<PairingCode, "tenantId"> | null>;
  /**
   * Takes the code and makes its device, in one step; where the tenant has its devices already, the code stays. Null where there
   * is no such open code of the tenant.
   */
  pair(
    code: Pick<PairingCode, "tenantId" | "codeHash">,
    device: NewDevice,
    devicesMax: number,
    at: Date,
  ): Promise<Device | "too_many" | null>;
  find(key: DeviceKey): Promise<Device | null>;
  findByToken(tokenHash: string): Promise<Device | null>;
  /** The number of a new connection, in digits: larger than those of all before it. */
  nextConnection(): Promise<string>;
  /** Newest first; behind a device that is gone there is nothing. */
  list(tenantId: string, page: DevicePage): Promise<DeviceSummary[]>;
  /** The enabled ones that the caller may use, of this name where one is given, by name and then id. */
  listUsable(
    tenantId: string,
    caller: DeviceBinding,
    page: { name?: string; limit: number },
  ): Promise<DeviceSummary[]>;
  /** Null where there is none. */
  change(key: DeviceKey, change: DeviceChange): Promise<Device | null>;
  /** Notes that it is connected, by this one until a later one comes; false where it may not be. */
  came(key: DeviceKey, connection: string, at: Date): Promise<boolean>;
  /** False where there is none, a later connection of it has come, or its commands are these already. */
  setCommands(key: DeviceKey, connection: string, commands: readonly DeviceCommand[]): Promise<boolean>;
  /** Notes that they were connected then; answers those of them that may be. */
  saw(deviceIds: readonly string[], at: Date): Promise<string[]>;
  delete(key: DeviceKey): Promise<Device | null>;
}
