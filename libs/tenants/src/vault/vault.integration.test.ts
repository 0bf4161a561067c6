import { openDatabase, type Database } from "@bulkhead/postgres";
import { configPurpose, type Vault } from "@bulkhead/core";
import { SettingsError, type Secret } from "@bulkhead/process/settings";
import { isNightly, leakCheck, openTestDatabase, queryRows, type TestDatabase } from "@bulkhead/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeMasterKey, masterKeys } from "./fixtures/master-keys.ts";
import { newTenants } from "./fixtures/tenants.ts";
import { openLocalKeys } from "./local-keys.ts";
import { openLocalVault } from "./open-local-vault.ts";
import { rotateKeys, type Rotation } from "./rotate-keys.ts";

leakCheck();

const OLD = makeMasterKey();
const NEW = makeMasterKey();

let anchor: TestDatabase;
let one: Database;
let other: Database;
beforeEach(async () => {
  anchor = await openTestDatabase();
  one = await openDatabase({ url: anchor.url, poolMax: 3 });
  other = await openDatabase({ url: anchor.url, poolMax: 3 });
});
afterEach(async () => {
  await one.close();
  await other.close();
  await anchor.close();
});

/** As a process that starts now. */
const start = (database: Database, current: Secret, ...old: Secret[]): Promise<Vault> =>
  openLocalVault(masterKeys(current, ...old), database.dataKeys);

/** Runs `npm run rotate-keys` once; `afterStep` gets the number of keys that are done. */
const rotate = (
  current: Secret,
  old: Secret[],
  stop = new AbortController(),
  afterStep: (done: number) => void = () => undefined,
): Promise<Rotation> =>
  rotateKeys({
    keys: openLocalKeys(masterKeys(current, ...old)),
    dataKeys: other.dataKeys,
    tell: ({ done }) => afterStep(done),
    stopping: stop.signal,
  });

const placeOf = (tenantId: string) => ({ tenantId, purpose: configPurpose("mail", "main", "api_key") });
const newPlace = async () => placeOf((await newTenants(one, 1))[0] ?? "");
/** Each has two keys: more than one step takes. */
const TENANTS = isNightly ? 150 : 60;
const COMPLETE = { unreadable: [], complete: true };

test("the first key of a tenant, made by two processes at once, is one key that both use", async () => {
  const [a, b] = await Promise.all([start(one, OLD), start(other, OLD)]);
  for (const tenantId of await newTenants(one, 5)) {
    const place = placeOf(tenantId);
    const sealed = await Promise.all([a, b, a, b].map((vault, at) => vault.seal(`text ${at}`, place)));
    const secrets = await Promise.all([a, b].map((vault) => vault.derive(place, 1)));
    expect(secrets[0]).toEqual(secrets[1]);
    for (const [at, text] of sealed.entries())
      for (const vault of [a, b]) expect(await vault.open(text, place)).toBe(`text ${at}`);
    const rows = await queryRows(anchor.url, "SELECT use FROM data_keys WHERE tenant_id = $1", [tenantId]);
    expect(rows.map(({ use }) => String(use)).toSorted()).toEqual(["derive", "seal"]);
  }
});

test("[K3] no row holds a value, a key or a master key", async () => {
  const place = await newPlace();
  const vault = await start(one, OLD);
  await vault.seal("hunter2", place);
  const rows = JSON.stringify(
    await queryRows(anchor.url, "SELECT d.*, m.* FROM data_keys AS d, master_keys AS m"),
  );
  expect(rows).toContain(place.tenantId);
  expect(rows).not.toContain("hunter2");
  const master = Buffer.from(OLD.reveal(), "base64");
  for (const encoding of ["base64", "base64url", "hex"] as const)
    expect(rows).not.toContain(master.toString(encoding));
});

describe("a start", () => {
  test("with another master key is refused by name, with what to do, and shows no key", async () => {
    await start(one, OLD);
    for (const sealing of [false, true]) {
      if (sealing) await (await start(one, OLD)).seal("hunter2", await newPlace());
      const refusal = await start(other, NEW).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(SettingsError);
      expect(String(refusal)).toMatch(/BULKHEAD_MASTER_KEY: is not the one of this database.*_OLD/u);
      for (const key of [OLD, NEW]) expect(String(refusal)).not.toContain(key.reveal());
    }
    await start(other, NEW, OLD);
  });

  test("on an empty database takes any master key, and of two that start with keys of their own one", async () => {
    const starts = await Promise.allSettled([start(one, OLD), start(other, NEW)]);
    expect(starts.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("a rotation", () => {
  test("[K4] goes on beside processes that seal and open, and then the old key is not needed", async () => {
    const tenants = await newTenants(one, TENANTS);
    const before = await start(one, OLD);
    const secrets = await Promise.all(tenants.map((id) => before.derive(placeOf(id), 1)));
    const sealed = await Promise.all(tenants.map((id) => before.seal(`of ${id}`, placeOf(id))));

    const running = await start(one, NEW, OLD);
    const late = await newTenants(one, 20);
    const end = { reached: false };
    const rotated = rotate(NEW, [OLD]).finally(() => (end.reached = true));
    const made: [string, string][] = [];
    for (let round = 0; !end.reached || round < 20; round += 1) {
      const id = [...tenants, ...late][(round * 7) % (TENANTS + 20)] ?? "";
      made.push([id, await running.seal(`round ${round}`, placeOf(id))]);
      expect(
        await running.open(sealed[round % TENANTS] ?? "", placeOf(tenants[round % TENANTS] ?? "")),
      ).toContain("of ");
    }
    expect(await rotated).toMatchObject(COMPLETE);

    const after = await start(other, NEW);
    for (const [at, id] of tenants.entries()) {
      expect(await after.open(sealed[at] ?? "", placeOf(id))).toBe(`of ${id}`);
      expect(await after.derive(placeOf(id), 1)).toEqual(secrets[at]);
    }
    for (const [at, [id, text]] of made.entries())
      expect(await after.open(text, placeOf(id))).toBe(`round ${at}`);
    await expect(start(one, OLD)).rejects.toThrow(/BULKHEAD_MASTER_KEY/);
  });

  test.runIf(isNightly)(
    "that is stopped in the middle leaves everything readable, and a repeat ends it",
    async () => {
      const tenants = await newTenants(one, 150);
      const before = await start(one, OLD);
      const sealed = await Promise.all(tenants.map((id) => before.seal(`of ${id}`, placeOf(id))));
      await start(one, NEW, OLD);

      const stop = new AbortController();
      const steps: number[] = [];
      const stopped = await rotate(NEW, [OLD], stop, (done) => {
        steps.push(done);
        stop.abort();
      });
      expect(stopped).toEqual({ rewrapped: 100, unreadable: [], complete: false });
      expect(steps).toEqual([100]);
      await expect(start(one, NEW)).rejects.toThrow(SettingsError);
      const between = await start(one, NEW, OLD);
      for (const [at, id] of tenants.entries())
        expect(await between.open(sealed[at] ?? "", placeOf(id))).toBe(`of ${id}`);

      expect(await rotate(NEW, [OLD])).toEqual({ rewrapped: 50, ...COMPLETE });
      expect(await rotate(NEW, [OLD])).toEqual({ rewrapped: 0, ...COMPLETE });
      const after = await start(other, NEW);
      expect(await after.open(sealed[0] ?? "", placeOf(tenants[0] ?? ""))).toContain("of ");
    },
  );

  test.runIf(isNightly)("that runs twice at once rewraps each key once", async () => {
    const tenants = await newTenants(one, 30);
    const vault = await start(one, OLD);
    await Promise.all(tenants.map((id) => vault.seal("x", placeOf(id))));
    await start(one, NEW, OLD);
    const [a, b] = await Promise.all([rotate(NEW, [OLD]), rotate(NEW, [OLD])]);
    expect(a.rewrapped + b.rewrapped).toBe(30);
  });

  test("is refused for a master key that no process has, and without the one that wraps", async () => {
    const vault = await start(one, OLD);
    await vault.seal("x", await newPlace());
    await expect(rotate(NEW, [OLD])).rejects.toThrow(/no API or worker has started with master key/);
    await start(one, NEW, OLD);
    await expect(rotate(NEW, [])).rejects.toThrow(/BULKHEAD_MASTER_KEY_OLD: lacks master key/);
  });

  test.runIf(isNightly)(
    "names the keys that it can't read, goes on with the rest, and keeps the old master key in force",
    async () => {
      const [broken = "", fine = ""] = await newTenants(one, 2);
      const vault = await start(one, OLD);
      const sealed = await vault.seal("x", placeOf(fine));
      const id = (await vault.seal("x", placeOf(broken))).split(".")[1];
      await anchor.execute(`UPDATE data_keys SET wrapped = 'x' || wrapped WHERE id = '${id}'`);
      await start(one, NEW, OLD);
      expect(await rotate(NEW, [OLD])).toEqual({ rewrapped: 1, unreadable: [id], complete: false });
      expect(await (await start(one, NEW, OLD)).open(sealed, placeOf(fine))).toBe("x");
    },
  );
});
