import type { CapabilityFamily, SchemaChecker } from "@bulkhead/core";
import type { Platform } from "@bulkhead/platform";
import type { Closers } from "@bulkhead/process";
import { countBy } from "@bulkhead/process/telemetry";
import { openDeviceLines } from "@bulkhead/redis";
import { DeviceAsker, openNodes } from "@bulkhead/tools/built-in";
import { randomUUID } from "node:crypto";

/** Opens the way to devices, whose connections API processes hold; nothing is heard before a run asks for one. */
export function openDevices(
  { redis, database, metrics, audit, report }: Platform,
  closers: Closers,
  schemas: SchemaChecker,
): CapabilityFamily {
  const lines = openDeviceLines(redis, {
    self: `nodes_${randomUUID()}`,
    onError: (error) => report("what another process sent about a device was passed over", error),
  });
  const asker = closers.add("devices", new DeviceAsker({ lines, report }));
  const count = countBy(metrics.meter, "bulkhead_device_commands_total");
  return openNodes({ devices: database.devices, lines, asker, schemas, audit, count });
}
