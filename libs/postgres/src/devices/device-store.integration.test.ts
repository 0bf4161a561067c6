import { newDeviceId, newPairingCodeId, type NewDevice, type PairingCode } from "@bulkhead/core";
import { beforeEach, describe, expect, test } from "vitest";
import { newTenant } from "../fixtures/deliveries.ts";
import { one, other, testDatabase, useTwoStores } from "../fixtures/stores.ts";

useTwoStores();

const AT = new Date("2026-01-01T00:00:00.000Z");
const later = (ms: number): Date => new Date(AT.getTime() + ms);

let tenantId: string;
let stranger: string;
let made = 0;

beforeEach(async () => {
  tenantId = await newTenant(one);
  stranger = await newTenant(one);
});

const hash = (): string => (made += 1).toString(16).padStart(64, "0");
const codeOf = (more: Partial<PairingCode> = {}): PairingCode => ({
  tenantId,
  codeId: newPairingCodeId(),
  codeHash: hash(),
  name: null,
  agentId: null,
  userId: null,
  madeBy: "key_1",
  expiresAt: later(600_000),
  ...more,
});
const deviceOf = (more: Partial<NewDevice> = {}): NewDevice => ({
  deviceId: newDeviceId(),
  name: "laptop",
  platform: null,
  commands: [],
  createdAt: AT,
  tokenHash: hash(),
  ...more,
});
/** A paired device, by a code of its own. */
async function pair(code: Partial<PairingCode> = {}, device: Partial<NewDevice> = {}) {
  const open = codeOf(code);
  await one.devices.makeCode(open, 20, AT);
  const paired = await one.devices.pair(open, deviceOf(device), 1_000, AT);
  if (paired === null || paired === "too_many") throw new Error("it was not paired");
  return paired;
}

describe("a code", () => {
  test("pairs one of many who try at once", async () => {
    const code = codeOf({ name: "kiosk", agentId: "alpha" });
    expect(await one.devices.makeCode(code, 20, AT)).toBe(true);
    const tried = await Promise.all(
      Array.from({ length: 6 }, (_, n) => (n % 2 ? one : other).devices.pair(code, deviceOf(), 1_000, AT)),
    );
    const paired = tried.filter((outcome) => outcome !== null);
    expect(paired).toEqual([
      expect.objectContaining({
        name: "kiosk",
        agentId: "alpha",
        userId: null,
        enabled: true,
        pairedBy: "key_1",
      }),
    ]);
    expect(await one.devices.findCode(code.codeHash, AT)).toBeNull();
  });

  test("is none of another tenant's, none when its time is over, and stays where there is no room", async () => {
    const code = codeOf();
    await one.devices.makeCode(code, 20, AT);
    expect(await one.devices.pair({ ...code, tenantId: stranger }, deviceOf(), 1_000, AT)).toBeNull();
    expect(await one.devices.findCode(code.codeHash, later(600_000))).toBeNull();
    expect(await one.devices.pair(code, deviceOf(), 1_000, later(600_000))).toBeNull();
    expect(await one.devices.pair(code, deviceOf(), 0, AT)).toBe("too_many");
    expect(await one.devices.findCode(code.codeHash, AT)).toEqual({ tenantId });
  });

  test("is one of so many open ones, however many are made at once; old ones make room", async () => {
    const making = (at: Date) =>
      Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          (n % 2 ? one : other).devices.makeCode(
            codeOf({ expiresAt: later(at.getTime() - AT.getTime() + 1_000) }),
            4,
            at,
          ),
        ),
      );
    expect((await making(AT)).filter(Boolean)).toHaveLength(4);
    expect((await making(later(1_000))).filter(Boolean)).toHaveLength(4);
  });

  test("of a tenant that is being deleted opens nothing, and its devices' tokens neither", async () => {
    const code = codeOf();
    await one.devices.makeCode(code, 20, AT);
    const tokenHash = hash();
    const { deviceId } = await pair({}, { tokenHash });
    expect(await one.devices.findByToken(tokenHash)).toMatchObject({ deviceId, tenantId });
    await testDatabase.execute(
      `UPDATE tenants SET deleting_at = now(), deletion_due_at = now() WHERE id = '${tenantId}'`,
    );
    expect(await one.devices.findCode(code.codeHash, AT)).toBeNull();
    expect(await one.devices.pair(code, deviceOf(), 1_000, AT)).toBeNull();
    expect(await one.devices.makeCode(codeOf(), 20, AT)).toBe(false);
    expect(await one.devices.findByToken(tokenHash)).toBeNull();
    expect(await one.devices.saw([deviceId], AT)).toEqual([]);
    expect(await one.devices.came({ tenantId, deviceId }, "1", AT)).toBe(false);
  });
});

describe("a device", () => {
  test("of another tenant is not there", async () => {
    const { deviceId } = await pair();
    const key = { tenantId: stranger, deviceId };
    expect(await one.devices.find(key)).toBeNull();
    expect(await one.devices.change(key, { name: "mine" })).toBeNull();
    expect(await one.devices.setCommands(key, "0", [{ name: "a", description: "", parameters: null }])).toBe(
      false,
    );
    expect(await one.devices.came(key, "1", AT)).toBe(false);
    expect(await one.devices.delete(key)).toBeNull();
    expect(await one.devices.list(stranger, { limit: 10 })).toEqual([]);
    expect(await one.devices.find({ tenantId, deviceId })).toMatchObject({ name: "laptop", commands: [] });
  });

  test("keeps what it says of its commands as it was said, and tells whether that is new", async () => {
    const { deviceId } = await pair();
    const parameters = JSON.parse(
      '{"type": "object", "properties": {"__proto__": {}, "a": {"const": "\\u0000"}}}',
    );
    const commands = [
      { name: "a", description: "Does a.", parameters },
      { name: "b", description: "", parameters: null },
    ];
    expect(await one.devices.setCommands({ tenantId, deviceId }, "0", commands)).toBe(true);
    expect(await one.devices.setCommands({ tenantId, deviceId }, "0", commands)).toBe(false);
    const found = await one.devices.find({ tenantId, deviceId });
    expect(JSON.stringify(found?.commands)).toBe(JSON.stringify(commands));
    const listed = [
      ...(await one.devices.list(tenantId, { limit: 10 })),
      ...(await one.devices.listUsable(tenantId, { agentId: null, userId: null }, { limit: 10 })),
    ];
    expect(listed).toMatchObject([{ commandNames: ["a", "b"] }, { commandNames: ["a", "b"] }]);
    expect(listed.some((device) => "commands" in device)).toBe(false);
  });

  test("has the commands of the connection that was let in last, however late an earlier one's come", async () => {
    const { deviceId } = await pair();
    const key = { tenantId, deviceId };
    const numbers = [await one.devices.nextConnection(), await other.devices.nextConnection()];
    const [early = "", late = ""] = numbers;
    expect(Number(late)).toBeGreaterThan(Number(early));
    const offers = (name: string) => [{ name, description: "", parameters: null }];
    const named = async () => (await one.devices.find(key))?.commands.map(({ name }) => name);
    expect(await one.devices.came(key, early, AT)).toBe(true);
    expect(await one.devices.setCommands(key, early, offers("a"))).toBe(true);
    expect(await one.devices.came(key, late, later(5))).toBe(true);
    expect(await other.devices.setCommands(key, early, offers("b"))).toBe(false);
    expect(await named()).toEqual(["a"]);
    expect(await one.devices.came(key, early, later(6))).toBe(true);
    expect(await other.devices.setCommands(key, early, offers("b"))).toBe(false);
    expect(await one.devices.setCommands(key, late, offers("c"))).toBe(true);
    expect(await named()).toEqual(["c"]);
    await one.devices.change(key, { enabled: false });
    expect(await one.devices.came(key, late, AT)).toBe(false);
  });

  test("is seen where it may be connected", async () => {
    const [a, b, gone] = [await pair(), await pair(), await pair()];
    await one.devices.change(b, { enabled: false });
    expect(await one.devices.delete(gone)).toMatchObject({ deviceId: gone.deviceId });
    expect(await one.devices.delete(gone)).toBeNull();
    const ids = [a, b, gone].map(({ deviceId }) => deviceId);
    expect(await one.devices.saw(ids, later(5))).toEqual([a.deviceId]);
    expect((await one.devices.find(a))?.lastSeenAt).toEqual(later(5));
  });

  test("is usable by those whom it is for, while it is enabled", async () => {
    for (const [name, agentId, userId] of [
      ["all", null, null],
      ["alphas", "alpha", null],
      ["anns", null, "ann"],
      ["both", "alpha", "ann"],
      ["off", null, null],
    ] as const) {
      const { deviceId } = await pair({ agentId, userId }, { name });
      if (name === "off") await one.devices.change({ tenantId, deviceId }, { enabled: false });
    }
    const names = async (agentId: string | null, userId: string | null, name?: string) => {
      const found = await one.devices.listUsable(
        tenantId,
        { agentId, userId },
        { limit: 10, ...(name && { name }) },
      );
      return found.map((device) => device.name);
    };
    expect(await names(null, null)).toEqual(["all"]);
    expect(await names("alpha", null)).toEqual(["all", "alphas"]);
    expect(await names("beta", "ann")).toEqual(["all", "anns"]);
    expect(await names("alpha", "ann")).toEqual(["all", "alphas", "anns", "both"]);
    expect(await names("alpha", "ann", "both")).toEqual(["both"]);
    expect(await names("alpha", "bob", "both")).toEqual([]);
  });

  test("is listed newest first, by a part of its name or platform, page by page", async () => {
    const names = ["a%b", "a_b", "AB", String.raw`a\b`];
    const ids: string[] = [];
    for (const [n, name] of names.entries()) {
      const { deviceId } = await pair(
        {},
        { name, platform: n === 2 ? "Darwin" : "linux", createdAt: later(n) },
      );
      ids.unshift(deviceId);
    }
    const list = async (page: Parameters<typeof one.devices.list>[1]) =>
      (await one.devices.list(tenantId, page)).map(({ deviceId }) => deviceId);
    expect(await list({ limit: 3 })).toEqual(ids.slice(0, 3));
    expect(await list({ limit: 3, before: ids[2]! })).toEqual(ids.slice(3));
    expect(await list({ limit: 3, before: newDeviceId() })).toEqual([]);
    expect(await list({ limit: 9, q: "%" })).toEqual([ids[3]]);
    expect(await list({ limit: 9, q: "_" })).toEqual([ids[2]]);
    expect(await list({ limit: 9, q: "\\" })).toEqual([ids[0]]);
    expect(await list({ limit: 9, q: "ab" })).toEqual([ids[1]]);
    expect(await list({ limit: 9, q: "DARWIN" })).toEqual([ids[1]]);
    const among = [ids[0]!, ids[2]!];
    expect(await list({ limit: 9, ids: { among, isIn: true } })).toEqual(among);
    expect(await list({ limit: 9, ids: { among, isIn: false } })).toEqual([ids[1], ids[3]]);
  });
});
