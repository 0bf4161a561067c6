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
  devices: Pick<DeviceStore, "findByToken">;
  rateLimiter: Pick<RateLimiter, "take">;
}

const BEARER = /^Bearer +(bhd_[A-Za-z0-9_-]{43})$/i;

/**
 * The device that a header `Authorization` stands for. Throws `device.token_invalid`, which never says why, and
 * `device.rate_limited` for an address that tries, or a device that comes, too often.
 */
export async function findConnecting(
  { devices, rateLimiter }: ConnectDeps,
  authorization: string | undefined,
  address: string,
): Promise<Device> {
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
  return device;
}

export interface RenewDeps extends RequireDeps {
  devices: Pick<DeviceStore, "find" | "setCommands">;
  audit: AuditLog;
}

/**
 * What a connected device says anew of its commands; nothing is done where they are those that it has. Throws `request.invalid` for
 * a schema that is none, and `device.rate_limited`.
 */
export async function renewCommands(
  deps: RenewDeps,
  { tenantId, deviceId }: DeviceKey,
  commands: readonly DeviceCommand[],
): Promise<void> {
  const { devices, audit } = deps;
  const device = await devices.find({ tenantId, deviceId });
  if (!device || sameCommands(device.commands, commands)) return;
  await requireCommands(deps, tenantId, commands);
  if (!(await devices.setCommands({ tenantId, deviceId }, commands))) return;
  await audit.record(null, tenantId, {
    action: "device.changed",
    id: deviceId,
    name: device.name,
    details: { fields: ["commands"], commands: commands.length, by: "device" },
  });
}

const sameCommands = (one: readonly DeviceCommand[], other: readonly DeviceCommand[]): boolean =>
  canonicalJson(one) === canonicalJson(other);
