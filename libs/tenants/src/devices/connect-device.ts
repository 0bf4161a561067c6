import {
  Fault,
  type AuditLog,
  type Device,
  type DeviceCommand,
  type DeviceStore,
  type RateLimiter,
  type SchemaChecker,
} from "@bulkhead/core";
import { hashDeviceToken } from "./device-text.ts";
import { requireCommands } from "./require-commands.ts";
import { takeTry } from "./take-try.ts";

export interface ConnectDeps {
  devices: Pick<DeviceStore, "findByToken">;
  rateLimiter: Pick<RateLimiter, "take">;
}

const BEARER = /^Bearer +(bhd_[A-Za-z0-9_-]{43})$/i;

/**
 * The device that a header `Authorization` stands for. Throws `device.token_invalid`, which never says why, and
 * `device.rate_limited` for an address that tries too often.
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
  return device;
}

export interface RenewDeps {
  devices: Pick<DeviceStore, "setCommands">;
  schemas: Pick<SchemaChecker, "checkSchema">;
  audit: AuditLog;
}

/** What a connected device says anew of its commands. Throws `request.invalid` for a schema that is none. */
export async function renewCommands(
  { devices, schemas, audit }: RenewDeps,
  { tenantId, deviceId, name }: Device,
  commands: readonly DeviceCommand[],
): Promise<void> {
  await requireCommands(schemas, tenantId, commands);
  if (!(await devices.setCommands({ tenantId, deviceId }, commands))) return;
  await audit.record(null, tenantId, {
    action: "device.changed",
    id: deviceId,
    name,
    details: { fields: ["commands"], commands: commands.length, by: "device" },
  });
}
