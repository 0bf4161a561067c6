import { configPurpose, type SealedFor } from "@bulkhead/core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { makeMasterKey, masterKeys } from "./fixtures/master-keys.ts";
import { MemoryDataKeys } from "./fixtures/memory-data-keys.ts";
import { openLocalKeys } from "./local-keys.ts";
import { openVault, type OpenedVault } from "./open-vault.ts";

const MASTER = makeMasterKey();
const PLACE = { tenantId: "ten_1", purpose: configPurpose("mail", "main", "api_key") };
const UNREADABLE = { code: "vault.unreadable" };

let dataKeys: MemoryDataKeys;
let vault: OpenedVault;
/** The vault of another process, with empty caches. */
const another = (master = MASTER): OpenedVault =>
  openVault({ keys: openLocalKeys(masterKeys(master)), dataKeys });
beforeEach(() => {
  dataKeys = new MemoryDataKeys();
  vault = another();
});

describe("a sealed text", () => {
  test.each(["", "hunter2", "größe 𝄞", "x".repeat(10_000)])(
    "opens where it was sealed: %j",
    async (plain) => {
      const sealed = await vault.seal(plain, PLACE);
      expect(await vault.open(sealed, PLACE)).toBe(plain);
      expect(await another().open(sealed, PLACE)).toBe(plain);
    },
  );

  test("names its version and the tenant's data key, and is another each time", async () => {
    const sealed = await vault.seal("hunter2", PLACE);
    const [row] = dataKeys.rows;
    expect(sealed).toMatch(new RegExp(`^v2\\.${row?.id}\\.[\\w-]+$`));
    const again = await vault.seal("hunter2", PLACE);
    expect(again).not.toBe(sealed);
    expect(dataKeys.rows).toEqual([row]);
    expect(sealed).not.toContain("hunter2");
  });

  test.each<[string, SealedFor]>([
    ["tenant", { ...PLACE, tenantId: "ten_2" }],
    ["service", { ...PLACE, purpose: configPurpose("other", "main", "api_key") }],
    ["entry", { ...PLACE, purpose: configPurpose("mail", "second", "api_key") }],
    ["field", { ...PLACE, purpose: configPurpose("mail", "main", "password") }],
    ["purpose", { ...PLACE, purpose: "callback.secret" }],
    ["place whose names only look the same together", { tenantId: 'ten_1","x', purpose: "y" }],
  ])("stays shut for another %s", async (_what, place) => {
    await vault.seal("theirs", place);
    const sealed = await vault.seal("hunter2", PLACE);
    await expect(vault.open(sealed, place)).rejects.toMatchObject(UNREADABLE);
  });

  test("opens nowhere any more when its tenant's keys have gone and that was told", async () => {
    const sealed = await vault.seal("hunter2", PLACE);
    const theirs = await vault.seal("theirs", { ...PLACE, tenantId: "ten_2" });
    dataKeys.rows = dataKeys.rows.filter(({ tenantId }) => tenantId !== PLACE.tenantId);
    vault.forget(PLACE.tenantId);
    await expect(vault.open(sealed, PLACE)).rejects.toMatchObject(UNREADABLE);
    expect(await vault.open(theirs, { ...PLACE, tenantId: "ten_2" })).toBe("theirs");
  });

  test("stays shut when any part of it was changed", async () => {
    const sealed = await vault.seal("hunter2", PLACE);
    const changed = Array.from(
      sealed,
      (letter, at) => sealed.slice(0, at) + (letter === "A" ? "B" : "A") + sealed.slice(at + 1),
    );
    const others = ["", "v2", "v3.a.b", sealed.slice(0, -1), `${sealed}.`, `${sealed}A`, `${sealed}=`];
    for (const text of [...changed, ...others, sealed.replace("v2", "v1")])
      await expect(vault.open(text, PLACE), text).rejects.toMatchObject(UNREADABLE);
  });

  test("moves to another place and opens there only", async () => {
    const sealed = await vault.seal("hunter2", PLACE);
    const renamed = { ...PLACE, purpose: configPurpose("mail", "renamed", "api_key") };
    const moved = await vault.reseal(sealed, PLACE, renamed);
    expect(await vault.open(moved, renamed)).toBe("hunter2");
    await expect(vault.open(moved, PLACE)).rejects.toMatchObject(UNREADABLE);
    await expect(vault.reseal(moved, PLACE, renamed)).rejects.toMatchObject(UNREADABLE);
  });

  test("that stays shut says nothing of what it holds, and no key is in what is printed", async () => {
    const sealed = await vault.seal("hunter2", PLACE);
    for (const text of ["v2.dk_1.hunter2", "v9.a.hunter2", sealed]) {
      const fault = await vault.open(text, { ...PLACE, purpose: "hunter" }).catch((error: unknown) => error);
      expect(fault).toMatchObject(UNREADABLE);
      expect(JSON.stringify(fault) + String(fault) + (fault as Error).stack).not.toContain("hunter2");
    }
  });
});

describe("a data key", () => {
  test.each(["tenantId", "id", "use", "masterKeyId", "wrapped"] as const)(
    "unwraps no more when its %s is another row's",
    async (column) => {
      const sealed = await vault.seal("hunter2", PLACE);
      const place = { ...PLACE, tenantId: "ten_2" };
      await another(makeMasterKey()).derive(place, 1);
      const [mine, theirs] = dataKeys.rows;
      if (!mine || !theirs) throw new Error("two keys were made");
      dataKeys.rows = [{ ...mine, [column]: theirs[column] }];
      const [row] = dataKeys.rows;
      const text = sealed.replace(mine.id, row?.id ?? "");
      const opened = another().open(text, { ...PLACE, tenantId: row?.tenantId ?? "" });
      await expect(opened).rejects.toMatchObject(UNREADABLE);
    },
  );

  test("does not unwrap with another master key, even for one that claims its id", async () => {
    const sealed = await vault.seal("hunter2", PLACE);
    const other = makeMasterKey();
    await expect(another(other).open(sealed, PLACE)).rejects.toThrow(/which this process does not hold/);
    const masterKeyId = openLocalKeys(masterKeys(other)).currentKeyId;
    dataKeys.rows = dataKeys.rows.map((row) => ({ ...row, masterKeyId }));
    await expect(another(other).open(sealed, PLACE)).rejects.toMatchObject(UNREADABLE);
  });

  test("is looked up once for many texts, and once more for an id that is not known", async () => {
    const sealed = await vault.seal("hunter2", PLACE);
    const looksBefore = dataKeys.looks;
    for (let count = 0; count < 5; count += 1) await vault.open(sealed, PLACE);
    expect(dataKeys.looks).toBe(looksBefore);
    await expect(vault.open("v2.dk_none.AAAA", PLACE)).rejects.toMatchObject(UNREADABLE);
    expect(dataKeys.looks).toBe(looksBefore + 1);
  });

  test("that was unwrapped is dropped after some minutes, asked for or not", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const clock = vi.spyOn(performance, "now").mockReturnValue(1);
    try {
      const sealed = await another().seal("hunter2", PLACE);
      const keys = openLocalKeys(masterKeys(MASTER));
      const unwrap = vi.spyOn(keys, "unwrap");
      const fresh = openVault({ keys, dataKeys });
      await fresh.open(sealed, PLACE);
      await fresh.open(sealed, PLACE);
      expect(unwrap).toHaveBeenCalledTimes(1);
      expect(vi.getTimerCount()).toBeGreaterThan(0);
      clock.mockReturnValue(10 * 60_000);
      vi.advanceTimersByTime(10 * 60_000);
      expect(vi.getTimerCount()).toBe(0);
      await fresh.open(sealed, PLACE);
      expect(unwrap).toHaveBeenCalledTimes(2);
    } finally {
      clock.mockRestore();
      vi.useRealTimers();
    }
  });

  test("that can't be unwrapped now may be in a moment", async () => {
    const sealed = await another().seal("hunter2", PLACE);
    const keys = openLocalKeys(masterKeys(MASTER));
    vi.spyOn(keys, "unwrap").mockRejectedValueOnce(new Error("the key service is away"));
    const outside = openVault({ keys, dataKeys });
    await expect(outside.open(sealed, PLACE)).rejects.toThrow("away");
    expect(await outside.open(sealed, PLACE)).toBe("hunter2");
  });

  test("that another process has made meanwhile is found", async () => {
    await expect(vault.open("v2.dk_none.AAAA", PLACE)).rejects.toMatchObject(UNREADABLE);
    const sealed = await another().seal("hunter2", PLACE);
    expect(await vault.open(sealed, PLACE)).toBe("hunter2");
    expect(await vault.open(await vault.seal("again", PLACE), PLACE)).toBe("again");
    expect(dataKeys.rows).toHaveLength(1);
  });

  test("of a tenant that is not there can't be made", async () => {
    dataKeys.insert = async () => undefined;
    await expect(vault.seal("hunter2", PLACE)).rejects.toMatchObject({ code: "tenant.not_found" });
  });
});

describe("a derived secret", () => {
  const derive = async (tenantId: string, purpose: string, generation: number, from = vault) =>
    Buffer.from(await from.derive({ tenantId, purpose }, generation)).toString("hex");

  test("has 32 bytes and is the same in every process", async () => {
    const secret = await derive("ten_1", "webhook", 1);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await derive("ten_1", "webhook", 1, another())).toBe(secret);
  });

  test("is another for each tenant, purpose and generation", async () => {
    const all = [
      await derive("ten_1", "webhook", 1),
      await derive("ten_2", "webhook", 1),
      await derive("ten_1", "other", 1),
      await derive("ten_1", "webhook", 2),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

test("a master key of another length is refused", () => {
  const short = { reveal: () => "c2hvcnQ=" } as typeof MASTER;
  expect(() => openLocalKeys(masterKeys(short))).toThrow(/32 bytes/);
});
