import {
  changedFields,
  Fault,
  type AuditLog,
  type Device,
  type DeviceChange,
  type DeviceKey,
  type DeviceLines,
  type DevicePage,
  type DeviceStore,
  type DeviceSummary,
  type TenantPrincipal,
} from "@bulkhead/core";

export interface DeviceDeps {
  devices: Pick<DeviceStore, "find" | "list" | "change" | "delete">;
  lines: Pick<DeviceLines, "online" | "holderOf" | "send">;
  audit: AuditLog;
  report: (what: string, error: unknown) => void;
}

type Shown<D> = D & { online: boolean };

export interface ListedDevices extends Omit<DevicePage, "ids"> {
  online?: boolean;
}

/** Newest first. */
export async function listDevices(
  { devices, lines }: Pick<DeviceDeps, "devices" | "lines">,
  { tenantId }: TenantPrincipal,
  { online, ...page }: ListedDevices,
): Promise<Shown<DeviceSummary>[]> {
  const among = await lines.online(tenantId);
  const ids = online === undefined ? {} : { ids: { among, isIn: online } };
  const connected = new Set(among);
  const found = await devices.list(tenantId, { ...page, ...ids });
  return found.map((device) => ({ ...device, online: connected.has(device.deviceId) }));
}

/** Throws `device.not_found`. */
export async function getDevice(
  { devices, lines }: Pick<DeviceDeps, "devices" | "lines">,
  { tenantId }: TenantPrincipal,
  deviceId: string,
): Promise<Shown<Device>> {
  const device = await devices.find({ tenantId, deviceId });
  if (!device) throw noSuchDevice();
  return shown(lines, device);
}

/** One that is no longer enabled loses its connection at once. Throws `device.not_found`. */
export async function updateDevice(
  deps: DeviceDeps,
  principal: TenantPrincipal,
  deviceId: string,
  change: DeviceChange,
): Promise<Shown<Device>> {
  const { tenantId } = principal;
  const key = { tenantId, deviceId };
  const device = await deps.devices.change(key, change);
  if (!device) throw noSuchDevice();
  const fields = changedFields(change);
  if (fields.length > 0)
    await deps.audit.record(principal, tenantId, {
      action: "device.changed",
      id: deviceId,
      name: device.name,
      details: { fields, enabled: device.enabled },
    });
  if (!device.enabled) {
    await disconnect(deps, key);
    return { ...device, online: false };
  }
  return shown(deps.lines, device);
}

/** Its token opens nothing from here on, and its connection is closed. Throws `device.not_found`. */
export async function removeDevice(
  deps: DeviceDeps,
  principal: TenantPrincipal,
  deviceId: string,
): Promise<void> {
  const { tenantId } = principal;
  const key = { tenantId, deviceId };
  const removed = await deps.devices.delete(key);
  if (!removed) throw noSuchDevice();
  await deps.audit.record(principal, tenantId, {
    action: "device.removed",
    id: deviceId,
    name: removed.name,
  });
  await disconnect(deps, key);
}

/** Where nobody can be told now, its holder finds out by itself within a minute; no command reaches it meanwhile. */
async function disconnect({ lines, report }: DeviceDeps, device: DeviceKey): Promise<void> {
  try {
    const holder = await lines.holderOf(device);
    if (holder) await lines.send(holder.process, { type: "close", device, connection: null, why: "removed" });
  } catch (error) {
    report("a device's connection could not be closed at once", error);
  }
}

async function shown(lines: DeviceDeps["lines"], device: Device): Promise<Shown<Device>> {
  return { ...device, online: (await lines.online(device.tenantId)).includes(device.deviceId) };
}

const noSuchDevice = (): Fault =>
  new Fault("device.not_found", { detail: "GET /api/v1/devices lists those that are paired." });
