import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { claimOnly, ended, newTenant } from "../fixtures/deliveries.ts";
import { one, testDatabase, useStores } from "../fixtures/stores.ts";

useStores();

let sql: Client;

beforeAll(async () => {
  sql = new Client({ connectionString: testDatabase.url });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
});
beforeEach(async () => void (await sql.query("DELETE FROM deliveries")));

describe("a tenant's signing secret", () => {
  test("has a generation, and those before sign for a day", async () => {
    const tenantId = await newTenant(one);
    expect(await one.webhookSecrets.read(tenantId)).toEqual({ current: 1, retiring: [] });
    const rotated = await one.webhookSecrets.rotate(tenantId);
    expect(rotated).toEqual({ current: 2, retiring: [{ generation: 1, signsUntil: expect.any(Date) }] });
    const inADay = Date.now() + 24 * 3_600_000;
    expect(Math.abs((rotated?.retiring[0]?.signsUntil.getTime() ?? 0) - inADay)).toBeLessThan(60_000);
    expect(await one.webhookSecrets.read(tenantId)).toEqual(rotated);
    await ended(one, tenantId);
    expect(await claimOnly(one)).toMatchObject({ generations: [2, 1] });
  });

  test("that was replaced a day ago signs no more", async () => {
    const tenantId = await newTenant(one);
    await one.webhookSecrets.rotate(tenantId);
    await sql.query("UPDATE tenants SET webhook_replaced_at = ARRAY[now() - interval '25 h'] WHERE id = $1", [
      tenantId,
    ]);
    expect(await one.webhookSecrets.read(tenantId)).toEqual({ current: 2, retiring: [] });
    await ended(one, tenantId);
    expect(await claimOnly(one)).toMatchObject({ generations: [2] });
  });

  test("has three before it at most, and none where there is no tenant", async () => {
    const tenantId = await newTenant(one);
    for (let times = 0; times < 5; times += 1) await one.webhookSecrets.rotate(tenantId);
    const generations = await one.webhookSecrets.read(tenantId);
    expect(generations?.current).toBe(6);
    expect(generations?.retiring.map(({ generation }) => generation)).toEqual([5, 4, 3]);
    expect(await one.webhookSecrets.rotate("ten_0000000000000000")).toBeNull();
    expect(await one.webhookSecrets.read("ten_0000000000000000")).toBeNull();
  });
});
