import {
  DEVICE_FRAME_BYTES_MAX,
  DEVICE_HOLDER_MS,
  DEVICE_OFFLINE_MS,
  newTenantId,
  type DeviceLines,
  type DeviceMessage,
  UnsentError,
} from "@bulkhead/core";
import { leakCheck, until } from "@bulkhead/testing";
import { beforeEach, expect, test } from "vitest";
import { twoProcesses } from "../mcp/fixtures/two-processes.ts";
import { openTenantRemnants } from "../stream/tenant-remnants.ts";
import { openDeviceLines } from "./device-lines.ts";

leakCheck();

const { connections, errors, stops, on, redis, onError } = twoProcesses();
let here: DeviceLines;
let there: DeviceLines;

beforeEach(() => {
  here = openDeviceLines(on(0), { self: "here", onError });
  there = openDeviceLines(on(1), { self: "there", onError });
});

const tenantId = newTenantId();
const keyOf = (deviceId = "dev_1", tenant = tenantId) => ({ tenantId: tenant, deviceId });
const DEVICE = keyOf();

test("a device is where it came last, and whoever had it before is named", async () => {
  expect(await here.holderOf(DEVICE)).toBeNull();
  expect(await here.take(DEVICE, "a")).toBeNull();
  expect(await there.take(DEVICE, "b")).toEqual({ process: "here", connection: "a" });
  expect(await here.holderOf(DEVICE)).toEqual({ process: "there", connection: "b" });
  expect(await here.renew([{ ...DEVICE, connection: "a" }])).toEqual(["a"]);
  await here.release(DEVICE, "a");
  expect(await there.holderOf(DEVICE)).toEqual({ process: "there", connection: "b" });
  await there.release(DEVICE, "b");
  expect([await here.holderOf(DEVICE), await here.online(tenantId)]).toEqual([null, []]);
});

test("a connection that was let in earlier takes no device from a later one, however long it took", async () => {
  expect(await there.take(DEVICE, "10")).toBeNull();
  expect(await here.take(DEVICE, "9")).toBe("later");
  expect(await here.holderOf(DEVICE)).toEqual({ process: "there", connection: "10" });
  expect(await here.take(DEVICE, "11")).toEqual({ process: "there", connection: "10" });
});

test("a tenant's devices are its own, and go with it", async () => {
  const other = newTenantId();
  await here.take(DEVICE, "a");
  await here.take(keyOf("dev_1", other), "b");
  await there.take(keyOf("dev_2"), "c");
  expect((await here.online(tenantId)).toSorted()).toEqual(["dev_1", "dev_2"]);
  expect(await here.online(other)).toEqual(["dev_1"]);
  await openTenantRemnants(on(0)).clear(tenantId, new AbortController().signal);
  expect([await here.online(tenantId), await here.holderOf(DEVICE)]).toEqual([[], null]);
  expect(await here.online(other)).toEqual(["dev_1"]);
});

test("a device of which nothing is heard any more is offline, and one of a dead process is at once", async () => {
  await here.take(DEVICE, "a");
  const [place, online] = [`bh:devices:{${tenantId}}:dev_1`, `bh:devices:{${tenantId}}`];
  for (const key of [place, online]) {
    const ms = await redis().pttl(key);
    expect(ms).toBeGreaterThan(DEVICE_OFFLINE_MS - 10_000);
    expect(ms).toBeLessThanOrEqual(DEVICE_OFFLINE_MS);
  }
  await redis().zadd(online, 1, "dev_1");
  expect(await here.online(tenantId)).toEqual([]);
  expect(await redis().pttl("bh:device-holder:{here}")).toBeLessThanOrEqual(DEVICE_HOLDER_MS);
  await redis().del("bh:device-holder:{here}");
  expect(await there.holderOf(DEVICE)).toBeNull();
  await here.renew([{ ...DEVICE, connection: "a" }]);
  expect(await there.holderOf(DEVICE)).toEqual({ process: "here", connection: "a" });
  expect(await there.online(tenantId)).toEqual(["dev_1"]);
});

test("after a Redis that was emptied, devices are online again when their process says so", async () => {
  await here.take(DEVICE, "a");
  await redis().flushall();
  expect([await there.holderOf(DEVICE), await there.online(tenantId)]).toEqual([null, []]);
  // One that comes before its process has said so must not hide that.
  await here.take(keyOf("dev_2"), "b");
  expect([await here.live(), await here.live()]).toEqual([false, false]);
  expect(await here.renew([{ ...DEVICE, connection: "a" }])).toEqual([]);
  expect(await here.live()).toBe(true);
  expect(await there.holderOf(DEVICE)).toEqual({ process: "here", connection: "a" });
  expect((await there.online(tenantId)).toSorted()).toEqual(["dev_1", "dev_2"]);
});

test("messages come in order, whole, and to the process that they are for alone", async () => {
  const heard: DeviceMessage[] = [];
  stops.push(await here.listen((message) => heard.push(message)));
  const invoke = {
    type: "invoke",
    from: "there",
    id: "1",
    connection: "a",
    command: "echo",
    arguments: JSON.parse(`{"__proto__": {"a": 1}, "text": "${"x".repeat(DEVICE_FRAME_BYTES_MAX)}"}`),
    timeoutMs: 1_000,
  } as const;
  const told: DeviceMessage[] = [
    invoke,
    { type: "cancel", from: "there", id: "1" },
    { type: "close", device: DEVICE, connection: null, why: "removed" },
    { type: "progress", id: "1", message: "half" },
    { type: "answer", id: "1", answer: { ok: true, valueJson: "1" } },
    { type: "answer", id: "2", answer: { ok: false, code: "offline", message: "gone" } },
  ];
  for (const message of told) expect(await there.send("here", message)).toBe("sent");
  await until(() => heard.length === told.length, { what: "all messages" });
  expect(heard).toEqual(told);
  expect(Object.hasOwn((heard[0] as typeof invoke).arguments, "__proto__")).toBe(true);
});

test("what certainly did not leave is told: to a full mailbox, and where no Redis is connected", async () => {
  const refused = { code: "service.unavailable", cause: expect.any(UnsentError) };
  const message = { type: "cancel", from: "there", id: "1" } as const;
  await redis().set("bh:mcp-mail:{here}:bytes", Number.MAX_SAFE_INTEGER);
  await expect(there.send("here", message)).rejects.toMatchObject(refused);
  await redis().del("bh:mcp-mail:{here}:bytes");
  expect(await there.send("here", message)).toBe("sent");
  await connections.pop()?.close();
  await expect(there.send("here", message)).rejects.toMatchObject(refused);
});

test("what is no message is reported and passed over", async () => {
  const heard: DeviceMessage[] = [];
  stops.push(await here.listen((message) => heard.push(message)));
  await there.send("here", { type: "shout" } as unknown as DeviceMessage);
  await there.send("here", { type: "cancel", from: "there", id: "1" });
  await until(() => heard.length === 1, { what: "the message behind it" });
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining("no message") })]);
});
