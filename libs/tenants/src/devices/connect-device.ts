import {
  canonicalJson,
  Fault,
  type AuditLog,
  type Device,
  type DeviceCommand,
  type DeviceKey,
  type DeviceStore,
  type RateLimiter,
} from "@bulkhead/core";
import { hashDeviceToken } from "./device-text.ts";
import { requireCommands, type RequireDeps } from "./require-commands.ts";
import { takeConnection, takeTry } from "./take-try.ts";

export interface ConnectDeps {
  devices: Pick<DeviceStore, "findByToken" | "nextConnection">;
  rateLimiter: Pick<RateLimiter, "take">;
}

/** A device that is let in, and the number of its new connection. */
export interface Connecting {
  device: Device;
  connection: string;
}

const BEARER = /^Bearer +(bhd_[A-Za-z0-9_-]{43})$/i;

/**
 * The device that a header `Authorization` stands for, by a new connection. Throws `device.token_invalid`, which never says
 * why, and `device.rate_limited` for an address that tries, or a device that comes, too often.
 */
export async function findConnecting(
  { devices, rateLimiter }: ConnectDeps,
  authorization: string | undefined,
  address: string,
): Promise<Connecting> {
  const token = BEARER.exec(authorization ?? "")?.[1];
  if (token === undefined)
    throw new Fault("device.token_invalid", {
      detail: "Send the header `Authorization: Bearer bhd_…` with the token that pairing has given.",
    });
  await takeTry(rateLimiter, "connecting", address);
  const device = await devices.findByToken(hashDeviceToken(token));
  if (!device?.enabled)
    throw new Fault("device.token_invalid", {
      detail: "No such token: the device was removed or is not enabled. A new code pairs it anew.",
    });
  await takeConnection(rateLimiter, device);
  return { device, connection: await devices.nextConnection() };
}

export interface RenewDeps extends RequireDeps {
  devices: Pick<DeviceStore, "find" | "setCommands">;
  audit: AuditLog;
}

/**
 * What a device says anew of its commands by this connection; nothing is done where they are those that it has, or a later
 * connection of it has come. Throws `request.invalid` for a schema that is none, and `device.rate_limited`.
 */
export async function renewCommands(
  deps: RenewDeps,
  { tenantId, deviceId }: DeviceKey,
  connection: string,
  commands: readonly DeviceCommand[],
): Promise<void> {
  const { devices, audit } = deps;
  const device = await devices.find({ tenantId, deviceId });
  if (!device || sameCommands(device.commands, commands)) return;
  await requireCommands(deps, tenantId, commands);
  if (!(await devices.setCommands({ tenantId, deviceId }, connection, commands))) return;
  await audit.record(null, tenantId, {
    action: "device.changed",
    id: deviceId,
    name: device.name,
    details: { fields: ["commands"], commands: commands.length, by: "device" },
  });
}

const sameCommands = (one: readonly DeviceCommand[], other: readonly DeviceCommand[]): boolean =>
  canonicalJson(one) === canonicalJson(other);
