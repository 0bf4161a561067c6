import {
  Fault,
  TENANT_LIMITS_DEFAULT,
  type AuditDeed,
  type NewDevice,
  type PairingCode,
  type Rate,
  type RateKey,
  type Tenant,
  type TenantPrincipal,
} from "@bulkhead/core";
import * as fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { hashPairingCode, newPairingCode } from "./device-text.ts";
import { createPairingCode, pairDevice, type PairDeps } from "./pair-device.ts";

const NOW = new Date("2026-01-01T00:00:00.000Z");
const OWNER = { tenantId: "ten_a", keyId: "key_1", role: "owner" } as TenantPrincipal;
const SAID = { name: "laptop", platform: null, commands: [] };

let codes: PairingCode[];
let deeds: AuditDeed[];
let taken: [RateKey, Rate][];
let refused: string | null;
let looked: number;
let room: boolean;

beforeEach(() => {
  [codes, deeds, taken, refused, looked, room] = [[], [], [], null, 0, true];
});

const deps: PairDeps = {
  devices: {
    makeCode: async (code) => room && codes.push(code) > 0,
    async findCode(codeHash) {
      looked += 1;
      return codes.find((code) => code.codeHash === codeHash) ?? null;
    },
    async pair({ codeHash }, device: NewDevice, devicesMax) {
      if (devicesMax === 0) return "too_many";
      const code = codes.find((one) => one.codeHash === codeHash);
      codes = codes.filter((one) => one !== code);
      return code
        ? { ...device, ...code, name: device.name, enabled: true, lastSeenAt: null, pairedBy: code.madeBy }
        : null;
    },
  },
  tenants: {
    find: async (id) =>
      ({ id, limits: { ...TENANT_LIMITS_DEFAULT, ...(room ? {} : { maxDevices: 0 }) } }) as Tenant,
  },
  schemas: {
    checkSchema: async (_tenantId, schema) => ({
      faults: "bad" in schema ? [{ path: "parameters.bad", message: "is unknown" }] : [],
      warnings: [],
    }),
  },
  rateLimiter: {
    async take(key, rate) {
      taken.push([key, rate]);
      const allowed = key.tenantId !== refused;
      return { allowed, limit: 1, remaining: 0, resetMs: 0, retryAfterMs: 1_500, changeMark: null };
    },
  },
  audit: { record: async (_by, _tenantId, ...done) => void deeds.push(...done) },
  clock: () => NOW,
};

const make = () => createPairingCode(deps, OWNER, { name: null, agentId: "alpha", userId: null });
const codeOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof Fault ? error.code : error;
};

test("a code has 40 bits in letters that nobody takes for another, and is kept as a hash", async () => {
  const { code, expiresAt } = await make();
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
  expect(expiresAt).toEqual(new Date(NOW.getTime() + 600_000));
  expect(JSON.stringify([codes, deeds])).not.toContain(code.slice(0, 4));
  expect(deeds).toEqual([
    { action: "device.code_made", id: codes[0]?.codeId, name: null, details: { agentId: "alpha" } },
  ]);
  const made = new Set(Array.from({ length: 1_000 }, newPairingCode));
  expect(made.size).toBe(1_000);
});

test("however it is typed, a code is the same, and no other is", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), fc.nat(7), (choices, at) => {
      const code = newPairingCode();
      const typed = code
        .split("")
        .map((letter, n) => (choices[n] ? letter.toLowerCase() : ` ${letter}`))
        .join("-");
      expect(hashPairingCode(typed)).toBe(hashPairingCode(code));
      const letters = code.replace("-", "").split("");
      letters[at] = letters[at] === "A" ? "B" : "A";
      expect(hashPairingCode(letters.join(""))).not.toBe(hashPairingCode(code));
    }),
  );
});

test("a device gets its token for the code, once", async () => {
  const { code } = await make();
  const { device, token } = await pairDevice(deps, { code, ...SAID }, "10.0.0.1");
  expect(token).toMatch(/^bhd_[\w-]{43}$/);
  expect(device).toMatchObject({ name: "laptop", agentId: "alpha", pairedBy: "key_1", createdAt: NOW });
  expect(deeds.at(-1)).toEqual({
    action: "device.paired",
    id: device.deviceId,
    name: "laptop",
    details: { pairedBy: "key_1", commands: 0 },
  });
  expect(await codeOf(pairDevice(deps, { code, ...SAID }, "10.0.0.1"))).toBe("device.code_invalid");
});

test("tries are counted before anything is looked up, by address and all together", async () => {
  expect(await codeOf(pairDevice(deps, { code: "AAAA-AAAA", ...SAID }, "10.0.0.1"))).toBe(
    "device.code_invalid",
  );
  const [[ofAddress], [ofAll]] = taken as [[RateKey, Rate], [RateKey, Rate]];
  expect(ofAddress.tenantId).toMatch(/^address:[0-9a-f]{16}$/);
  for (const who of [ofAddress.tenantId, ofAll.tenantId]) {
    refused = who;
    expect(await codeOf(pairDevice(deps, { code: "AAAA-AAAA", ...SAID }, "10.0.0.1"))).toBe(
      "device.rate_limited",
    );
  }
  expect(looked).toBe(1);
  await pairDevice(deps, { code: "AAAA-AAAA", ...SAID }, "10.0.0.2").catch(() => undefined);
  expect(new Set(taken.map(([{ tenantId }]) => tenantId)).size).toBe(3);
});

test("a schema that is none is told by its place, and the code stays", async () => {
  const { code } = await make();
  const commands = [
    { name: "a", description: "", parameters: null },
    { name: "b", description: "", parameters: { bad: true } },
  ];
  await expect(pairDevice(deps, { code, ...SAID, commands }, "10.0.0.1")).rejects.toMatchObject({
    code: "request.invalid",
    errors: [{ path: "commands.1.parameters.bad", message: "is unknown" }],
  });
  expect(codes).toHaveLength(1);
});

test("what is too many is told as such", async () => {
  const { code } = await make();
  room = false;
  expect(await codeOf(make())).toBe("device.too_many_codes");
  expect(await codeOf(pairDevice(deps, { code, ...SAID }, "10.0.0.1"))).toBe("device.too_many");
});
