import { newDataKeyId, type DataKey } from "@bulkhead/core";
import { queryRows } from "@bulkhead/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { newTenant } from "../fixtures/deliveries.ts";
import { one, other, testDatabase, useTwoStores } from "../fixtures/stores.ts";

useTwoStores();

let tenantId: string;

beforeEach(async () => {
  await testDatabase.execute("DELETE FROM data_keys");
  await testDatabase.execute("DELETE FROM master_keys");
  tenantId = await newTenant(one);
});

const keyOf = (fields: Partial<DataKey> = {}): DataKey => ({
  id: newDataKeyId(),
  tenantId,
  use: "seal",
  wrapped: "wrapped",
  masterKeyId: "aaaaaaaa",
  ...fields,
});
const PAGE = { after: null, countMax: 10 };

describe("a data key", () => {
  test("that many make at once is that of one of them, for each use", async () => {
    const keys = Array.from({ length: 6 }, (_, at) => keyOf({ wrapped: `by ${at}` }));
    await Promise.all(keys.map((key, at) => (at % 2 ? one : other).dataKeys.insert(key)));
    await one.dataKeys.insert(keyOf({ use: "derive" }));
    const rows = await other.dataKeys.list(tenantId);
    expect(rows.map(({ use }) => use).toSorted()).toEqual(["derive", "seal"]);
    expect(keys).toContainEqual(rows.find(({ use }) => use === "seal"));
  });

  test("of a tenant that is not there is dropped, and goes with its tenant", async () => {
    await one.dataKeys.insert(keyOf({ tenantId: "ten_none" }));
    await one.dataKeys.insert(keyOf());
    expect(await queryRows(testDatabase.url, "SELECT tenant_id FROM data_keys")).toEqual([
      { tenant_id: tenantId },
    ]);
    await testDatabase.execute(`DELETE FROM tenants WHERE id = '${tenantId}'`);
    expect(await one.dataKeys.list(tenantId)).toEqual([]);
  });

  test("is rewrapped only where it is still wrapped as it was seen", async () => {
    const [a, b] = [keyOf(), keyOf({ use: "derive" })];
    await one.dataKeys.insert(a);
    await one.dataKeys.insert(b);
    const next = { wrapped: "anew", masterKeyId: "bbbbbbbb" };
    const rewrappings = [
      { id: a.id, before: "wrapped", ...next },
      { id: b.id, before: "otherwise", ...next },
      { id: "dk_none", before: null, ...next },
    ];
    expect(await one.dataKeys.rewrap(rewrappings)).toBe(1);
    expect(await one.dataKeys.countByMasterKey()).toEqual(
      new Map([
        ["aaaaaaaa", 1],
        ["bbbbbbbb", 1],
      ]),
    );
    expect(await one.dataKeys.listWrappedByOthers("bbbbbbbb", PAGE)).toEqual([b]);
    expect(await one.dataKeys.listWrappedByOthers("bbbbbbbb", { ...PAGE, after: b.id })).toEqual([]);
  });

  test("that comes from a master key is listed until it is wrapped, and known to nobody before", async () => {
    await testDatabase.execute(
      `INSERT INTO data_keys (id, tenant_id, use, master_key_id) VALUES ('dk_1', '${tenantId}', 'seal.v1', 'cccccccc')`,
    );
    expect(await one.dataKeys.list(tenantId)).toEqual([]);
    expect(await one.dataKeys.listWrappedByOthers("aaaaaaaa", PAGE)).toEqual([]);
    expect(await one.dataKeys.countByMasterKey()).toEqual(new Map([["cccccccc", 1]]));
    expect(await one.dataKeys.listInherited(PAGE)).toEqual([
      { id: "dk_1", tenantId, use: "seal.v1", masterKeyId: "cccccccc" },
    ]);
    await one.dataKeys.rewrap([{ id: "dk_1", before: null, wrapped: "now", masterKeyId: "aaaaaaaa" }]);
    expect(await one.dataKeys.listInherited(PAGE)).toEqual([]);
    expect(await one.dataKeys.list(tenantId)).toMatchObject([{ id: "dk_1", wrapped: "now" }]);
  });
});

describe("the list of master keys", () => {
  test("takes any key when it is empty, then those that come with one of it", async () => {
    expect(await one.dataKeys.admitMasterKeys(["aaaaaaaa"])).toBe(true);
    expect(await one.dataKeys.admitMasterKeys(["bbbbbbbb"])).toBe(false);
    expect(await one.dataKeys.admitMasterKeys(["bbbbbbbb", "aaaaaaaa"])).toBe(true);
    expect(await one.dataKeys.listMasterKeys()).toEqual(["aaaaaaaa", "bbbbbbbb"]);
  });

  test("has one winner when processes with keys of their own start at once", async () => {
    const keys = Array.from({ length: 6 }, (_, at) => `key${at}`);
    const admitted = await Promise.all(
      keys.map((key, at) => (at % 2 ? one : other).dataKeys.admitMasterKeys([key])),
    );
    expect(admitted.filter(Boolean)).toHaveLength(1);
    expect(await one.dataKeys.listMasterKeys()).toEqual([keys[admitted.indexOf(true)]]);
  });

  test("loses the others once one wraps all keys, not before", async () => {
    await one.dataKeys.admitMasterKeys(["aaaaaaaa"]);
    await one.dataKeys.admitMasterKeys(["bbbbbbbb", "aaaaaaaa"]);
    const key = keyOf();
    await one.dataKeys.insert(key);
    expect(await one.dataKeys.retireOtherMasterKeys("bbbbbbbb")).toBe(false);
    expect(await one.dataKeys.listMasterKeys()).toHaveLength(2);
    await one.dataKeys.rewrap([{ id: key.id, before: "wrapped", wrapped: "anew", masterKeyId: "bbbbbbbb" }]);
    expect(await one.dataKeys.retireOtherMasterKeys("bbbbbbbb")).toBe(true);
    expect(await one.dataKeys.listMasterKeys()).toEqual(["bbbbbbbb"]);
    expect(await one.dataKeys.admitMasterKeys(["aaaaaaaa"])).toBe(false);
  });
});
