import { newDeviceId, newTenantId, type AuditDeed, type Device, type DeviceCommand } from "@bulkhead/core";
import { beforeEach, expect, test } from "vitest";
import { findConnecting, renewCommands, type RenewDeps } from "./connect-device.ts";

const DEVICE: Device = {
  tenantId: newTenantId(),
  deviceId: newDeviceId(),
  name: "laptop",
  platform: null,
  commands: [{ name: "a", description: "", parameters: { type: "object", required: ["x"] } }],
  agentId: null,
  userId: null,
  enabled: true,
  lastSeenAt: null,
  pairedBy: "key_1",
  createdAt: new Date(0),
};
const TWENTY = Array.from({ length: 20 }, (_, n): DeviceCommand => ({
  name: `c${n}`,
  description: "",
  parameters: { type: "object" },
}));

let kept: (readonly DeviceCommand[])[];
let deeds: AuditDeed[];
let taken: [string, number][];
let allowed: boolean | ((tenantId: string) => boolean);
let checked: number;

beforeEach(() => {
  [kept, deeds, taken, allowed, checked] = [[], [], [], true, 0];
});

const deps: RenewDeps = {
  devices: {
    find: async ({ deviceId }) => (deviceId === DEVICE.deviceId ? DEVICE : null),
    setCommands: async (_key, _connection, commands) => kept.push(commands) > 0,
  },
  schemas: {
    async checkSchema() {
      checked += 1;
      return { faults: [], warnings: [] };
    },
  },
  rateLimiter: {
    async take({ tenantId }, _rate, n) {
      taken.push([tenantId, n]);
      const isAllowed = typeof allowed === "function" ? allowed(tenantId) : allowed;
      return {
        allowed: isAllowed,
        limit: 1,
        remaining: 0,
        resetMs: 0,
        retryAfterMs: 1_500,
        changeMark: null,
      };
    },
  },
  audit: { record: async (_by, _tenantId, ...done) => void deeds.push(...done) },
};

test("a device that says what it offers already costs nothing, however its fields are ordered", async () => {
  await renewCommands(deps, DEVICE, "1", [
    { parameters: { required: ["x"], type: "object" }, description: "", name: "a" },
  ]);
  await renewCommands(deps, { ...DEVICE, deviceId: newDeviceId() }, "1", TWENTY);
  expect([kept, deeds, taken, checked]).toEqual([[], [], [], 0]);
});

test("what it offers anew counts for its tenant before any of it is read", async () => {
  await renewCommands(deps, DEVICE, "1", TWENTY);
  await renewCommands(deps, DEVICE, "1", []);
  expect(taken).toEqual([
    [DEVICE.tenantId, 20],
    [DEVICE.tenantId, 1],
  ]);
  expect([kept, deeds.length, checked]).toEqual([[TWENTY, []], 2, 20]);
  allowed = false;
  await expect(renewCommands(deps, DEVICE, "1", TWENTY)).rejects.toMatchObject({
    code: "device.rate_limited",
    retryAfterSeconds: 2,
  });
  expect([kept.length, checked]).toEqual([2, 20]);
});

test("connections are counted for an address before anything is looked up, and then for the device", async () => {
  let looked = 0;
  const findByToken = async () => {
    looked += 1;
    return DEVICE;
  };
  const nextConnection = async () => "7";
  const devices = { findByToken, nextConnection };
  const connect = () => findConnecting({ ...deps, devices }, `Bearer bhd_${"a".repeat(43)}`, "10.0.0.1");
  expect(await connect()).toEqual({ device: DEVICE, connection: "7" });
  expect(taken.map(([tenantId]) => tenantId)).toEqual([expect.stringMatching(/^address:/), DEVICE.tenantId]);
  const limited = { code: "device.rate_limited", retryAfterSeconds: 2 };
  allowed = (tenantId) => tenantId !== DEVICE.tenantId;
  await expect(connect()).rejects.toMatchObject(limited);
  expect(looked).toBe(2);
  allowed = false;
  await expect(connect()).rejects.toMatchObject(limited);
  expect(looked).toBe(2);
});

test("others have their turn between two schemas", async () => {
  let turns = 0;
  const others = (): void => {
    turns += 1;
    if (kept.length === 0) setImmediate(others);
  };
  setImmediate(others);
  await renewCommands(deps, DEVICE, "1", TWENTY);
  expect(turns).toBeGreaterThanOrEqual(TWENTY.length - 1);
});
