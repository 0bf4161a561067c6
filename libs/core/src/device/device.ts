import type { JsonObject } from "../json/json.ts";

/** Characters of a device's name, and of what it says it runs on. */
export const DEVICE_NAME_CHARS_MAX = 100;
export const DEVICE_PLATFORM_CHARS_MAX = 100;
export const DEVICE_COMMANDS_MAX = 64;
/** Letters, digits, `_`, `.` and `-`, a letter or digit first. */
export const DEVICE_COMMAND_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/;
/** Characters of a command's description. */
export const DEVICE_DESCRIPTION_CHARS_MAX = 1_000;
/** Bytes of all commands of one device as JSON: models read them. */
export const DEVICE_COMMANDS_BYTES_MAX = 128 * 1_024;

/** A pairing code is exchanged for a device's token once, and within ten minutes. */
export const PAIRING_CODE_MS = 10 * 60_000;
/** Codes of one tenant that are neither used nor too old. */
export const PAIRING_CODES_MAX = 20;

/** Milliseconds that an invocation may take, where nothing is said and at most. */
export const DEVICE_TIMEOUT_MS_DEFAULT = 30_000;
export const DEVICE_TIMEOUT_MS_MAX = 120_000;

/** Bytes of one message to or from a device. */
export const DEVICE_FRAME_BYTES_MAX = 1_024 * 1_024;
/** A device that has said nothing for as long is offline; milliseconds. */
export const DEVICE_OFFLINE_MS = 45_000;

/** What a device can do, in its own words: a stranger's. */
export interface DeviceCommand {
  name: string;
  description: string;
  /** JSON Schema of the arguments; null: any object. */
  parameters: JsonObject | null;
}

/** Names one device; the tenant is part of every look-up. */
export interface DeviceKey {
  tenantId: string;
  deviceId: string;
}

/** Who alone may use a device; null: any agent, any user. */
export interface DeviceBinding {
  agentId: string | null;
  userId: string | null;
}

/** A machine of the tenant's, or of a user's, that has commands to offer. */
export interface Device extends DeviceKey, DeviceBinding {
  name: string;
  platform: string | null;
  commands: readonly DeviceCommand[];
  /** One that is not is as good as gone, until it is enabled again. */
  enabled: boolean;
  /** When it was last connected, to about a minute; null: never. */
  lastSeenAt: Date | null;
  /** The API key that made its pairing code. */
  pairedBy: string;
  createdAt: Date;
}

/** A device as lists tell of it: its commands by their names alone. */
export interface DeviceSummary extends Omit<Device, "commands"> {
  commandNames: readonly string[];
}

/** What lets one device in; the name is the owner's wish, before the device's own. */
export interface PairingCode extends DeviceBinding {
  tenantId: string;
  codeId: string;
  codeHash: string;
  name: string | null;
  madeBy: string;
  expiresAt: Date;
}

/** Whether the caller may use the device at all. */
export const mayUseDevice = (device: DeviceBinding, caller: DeviceBinding): boolean =>
  (device.agentId === null || device.agentId === caller.agentId) &&
  (device.userId === null || device.userId === caller.userId);
