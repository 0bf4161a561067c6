import type { SchemaChecker } from "@bulkhead/core";
import type { Platform } from "@bulkhead/platform";
import type { Closers } from "@bulkhead/process";
import { gaugeOf } from "@bulkhead/process/telemetry";
import { openDeviceLines } from "@bulkhead/redis";
import { renewCommands, type PairDeps } from "@bulkhead/tenants";
import { randomUUID } from "node:crypto";
import type { DeviceSocketDeps } from "./devices/connect.ts";
import { DeviceHub } from "./devices/device-hub.ts";
import { parseJsonText } from "./edge/json-body.ts";

/** What lets devices in: those that pair, and the web sockets of those that are paired. */
export interface DeviceEdge {
  pairing: PairDeps;
  sockets: DeviceSocketDeps;
}

/** Opens what devices of tenants stand on. Their connections end when `stopping` fires, before anything else of this process. */
export function openDevices(
  { redis, database, rateLimiter, metrics, audit, clock, report }: Platform,
  closers: Closers,
  { schemas, stopping }: { schemas: SchemaChecker; stopping: AbortSignal },
) {
  const { devices, tenants } = database;
  const lines = openDeviceLines(redis, {
    self: `devices_${randomUUID()}`,
    onError: (error) => report("what another process sent about a device was passed over", error),
  });
  const hub = closers.add(
    "devices",
    new DeviceHub({
      lines,
      devices,
      parseJson: parseJsonText,
      renew: (...said) => renewCommands({ devices, schemas, rateLimiter, audit }, ...said),
      clock,
      report,
    }),
  );
  gaugeOf(metrics.meter, "bulkhead_devices_connected").addCallback((result) => result.observe(hub.size));
  stopping.addEventListener("abort", () => void hub.close());
  const edge: DeviceEdge = {
    pairing: { devices, tenants, schemas, rateLimiter, audit, clock },
    sockets: { devices, rateLimiter, hub },
  };
  return { lines, edge };
}
