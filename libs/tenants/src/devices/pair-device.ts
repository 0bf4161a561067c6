import {
  newDeviceId,
  newPairingCodeId,
  PAIRING_CODE_MS,
  PAIRING_CODES_MAX,
  type AuditLog,
  type Clock,
  type Device,
  type DeviceBinding,
  type DeviceCommand,
  type DeviceStore,
  type RateLimiter,
  type SchemaChecker,
  type TenantPrincipal,
  type TenantStore,
  Fault,
} from "@bulkhead/core";
import { hashDeviceToken, hashPairingCode, newDeviceToken, newPairingCode } from "./device-text.ts";
import { requireCommands } from "./require-commands.ts";
import { takeTry } from "./take-try.ts";

export interface PairDeps {
  devices: Pick<DeviceStore, "makeCode" | "findCode" | "pair">;
  tenants: Pick<TenantStore, "find">;
  schemas: Pick<SchemaChecker, "checkSchema">;
  rateLimiter: Pick<RateLimiter, "take">;
  audit: AuditLog;
  clock: Clock;
}

/** A code that pairs one device with the tenant. Throws `device.too_many_codes`. */
export async function createPairingCode(
  { devices, audit, clock }: Pick<PairDeps, "devices" | "audit" | "clock">,
  principal: TenantPrincipal,
  asked: DeviceBinding & { name: string | null },
): Promise<{ code: string; expiresAt: Date }> {
  const { tenantId, keyId } = principal;
  const code = newPairingCode();
  const codeId = newPairingCodeId();
  const at = clock();
  const expiresAt = new Date(at.getTime() + PAIRING_CODE_MS);
  const made = { ...asked, tenantId, codeId, codeHash: hashPairingCode(code), madeBy: keyId, expiresAt };
  if (!(await devices.makeCode(made, PAIRING_CODES_MAX, at)))
    throw new Fault("device.too_many_codes", {
      detail: `A tenant may have ${PAIRING_CODES_MAX} open codes; one is open until it is used, or for ${PAIRING_CODE_MS / 60_000} minutes.`,
    });
  const { name, agentId, userId } = asked;
  await audit.record(principal, tenantId, {
    action: "device.code_made",
    id: codeId,
    name,
    details: { ...(agentId !== null && { agentId }), ...(userId !== null && { userId }) },
  });
  return { code, expiresAt };
}

export interface PairRequest {
  code: string;
  name: string;
  platform: string | null;
  commands: readonly DeviceCommand[];
}

/**
 * Exchanges a code for a device and the token that it connects with. `address` is where the request came from, which may try so
 * often alone. Throws `device.code_invalid`, which never says why, `device.rate_limited`, `device.too_many` and
 * `request.invalid` for a schema that is none.
 */
export async function pairDevice(
  deps: PairDeps,
  { code, ...said }: PairRequest,
  address: string,
): Promise<{ device: Device; token: string }> {
  await takeTry(deps.rateLimiter, "pairing", address);
  const codeHash = hashPairingCode(code);
  const at = deps.clock();
  const found = await deps.devices.findCode(codeHash, at);
  const tenant = found && (await deps.tenants.find(found.tenantId));
  if (!tenant) throw noSuchCode();
  const tenantId = tenant.id;
  await requireCommands(deps, tenantId, said.commands);
  const token = newDeviceToken();
  const device = { ...said, deviceId: newDeviceId(), tokenHash: hashDeviceToken(token), createdAt: at };
  const { maxDevices } = tenant.limits;
  const paired = await deps.devices.pair({ tenantId, codeHash }, device, maxDevices, at);
  if (paired === null) throw noSuchCode();
  if (paired === "too_many")
    throw new Fault("device.too_many", {
      detail: `The tenant may have ${maxDevices} devices (limits.maxDevices); remove one. The code stays good.`,
    });
  await deps.audit.record(null, tenantId, {
    action: "device.paired",
    id: paired.deviceId,
    name: paired.name,
    details: { pairedBy: paired.pairedBy, commands: paired.commands.length },
  });
  return { device: paired, token };
}

const noSuchCode = (): Fault =>
  new Fault("device.code_invalid", {
    detail:
      "No such pairing code: it was used, is too old, or never was. An owner of the tenant makes a new one.",
  });
