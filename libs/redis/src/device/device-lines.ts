import { strict as assert } from "node:assert";
import {
  DEVICE_HOLDER_MS,
  DEVICE_OFFLINE_MS,
  Fault,
  type DeviceHolder,
  type DeviceKey,
  type DeviceLines,
} from "@bulkhead/core";
import type { Result } from "ioredis";
import { readFileSync } from "node:fs";
import { reaching } from "../connect/reaching.ts";
import { mailTo, openMailbox } from "../mcp/mailbox.ts";
import { defineRouteSteps } from "../mcp/steps.ts";
import type { StreamRedis } from "../stream/stream-redis.ts";
import { readDeviceMessage } from "./read-message.ts";

const reached = reaching("the connections of devices");

// The commands that `defineCommand` adds to a client; the types of the replies are the promises of the Lua files.
declare module "ioredis" {
  interface RedisCommander<Context> {
    bhTakeDevice(...keysAndArguments: (string | number)[]): Result<[0 | 1, string], Context>;
    bhRenewDevice(...keysAndArguments: (string | number)[]): Result<0 | 1, Context>;
    bhReleaseDevice(...keysAndArguments: (string | number)[]): Result<0 | 1, Context>;
  }
}

const script = (step: string): string => readFileSync(new URL(`./lua/${step}.lua`, import.meta.url), "utf8");

// The tenant's hash tag keeps its devices on one node of a cluster.
const onlineOf = (tenantId: string): string => `bh:devices:{${tenantId}}`;
const placeOf = ({ tenantId, deviceId }: DeviceKey): string => `${onlineOf(tenantId)}:${deviceId}`;
const aliveOf = (process: string): string => `bh:device-holder:{${process}}`;
const keysOf = (device: DeviceKey): [string, string] => [placeOf(device), onlineOf(device.tenantId)];

const readPlace = (place: string | null): DeviceHolder | null => {
  const [process, connection] = place?.split(" ") ?? [];
  return process !== undefined && connection !== undefined ? { process, connection } : null;
};

export interface OpenDeviceLinesInput {
  /** This process, as others send to it: a name that no other process has, then or later, and without blanks. */
  self: string;
  onError: (error: unknown) => void;
}

/** Works over the stream's connections, which stay their owner's. */
export function openDeviceLines(redis: StreamRedis, { self, onError }: OpenDeviceLinesInput): DeviceLines {
  const { commands } = redis;
  defineRouteSteps(commands);
  commands.defineCommand("bhTakeDevice", { lua: script("take-device"), numberOfKeys: 2 });
  commands.defineCommand("bhRenewDevice", { lua: script("renew-device"), numberOfKeys: 2 });
  commands.defineCommand("bhReleaseDevice", { lua: script("release-device"), numberOfKeys: 2 });
  // False from when Redis does not know of this process, or no more, until it has been told what this process holds.
  let isKnown = false;
  const live = async (): Promise<void> => {
    if ((await commands.set(aliveOf(self), "1", "PX", DEVICE_HOLDER_MS, "GET")) === null) isKnown = false;
  };
  let listens = false;
  return {
    self,
    take: async (device, connection) => {
      const place = `${self} ${connection}`;
      await reached(live());
      const taking = commands.bhTakeDevice(...keysOf(device), place, device.deviceId, DEVICE_OFFLINE_MS);
      const [taken, before] = await reached(taking);
      return taken === 1 ? readPlace(before) : "later";
    },
    live: async () => {
      await reached(live());
      return isKnown;
    },
    renew: async (held) => {
      const renewed = await reached(
        Promise.all([
          live(),
          ...held.map(({ connection, ...device }) =>
            commands.bhRenewDevice(
              ...keysOf(device),
              `${self} ${connection}`,
              device.deviceId,
              DEVICE_OFFLINE_MS,
            ),
          ),
        ]),
      );
      isKnown = true;
      return held.filter((_, n) => renewed[n + 1] === 0).map(({ connection }) => connection);
    },
    release: async (device, connection) => {
      await reached(commands.bhReleaseDevice(...keysOf(device), `${self} ${connection}`, device.deviceId));
    },
    holderOf: async (device) => {
      const holder = readPlace(await reached(commands.get(placeOf(device))));
      if (holder === null) return null;
      return (await reached(commands.exists(aliveOf(holder.process)))) === 1 ? holder : null;
    },
    online: async (tenantId) => {
      const [seconds = "0"] = await reached(commands.time());
      return reached(commands.zrangebyscore(onlineOf(tenantId), Number(seconds) * 1_000, "+inf"));
    },
    send: (to, message) => reached(mailTo(commands, to, JSON.stringify(message))),
    listen: async (onMessage) => {
      assert(!listens, "one listens at a time");
      listens = true;
      const mailbox = openMailbox(redis, self, (text) => {
        const message = readDeviceMessage(text);
        if (message) onMessage(message);
        else onError(new Error("a process sent what is no message about devices"));
      });
      const stop = (): void => {
        listens = false;
        mailbox.close();
      };
      if (await mailbox.ready) return stop;
      stop();
      throw new Fault("service.unavailable", { internal: "nothing can be heard from Redis" });
    },
  };
}
