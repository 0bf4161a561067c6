import { DELIVERIES_MAX, DELIVERY_TRIES_KEPT, type DeliveryOutcome } from "@bulkhead/core";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CALLBACK, claimOnly, ended, newTenant, ROUND } from "../fixtures/deliveries.ts";
import { TRACEPARENT } from "../fixtures/samples.ts";
import { TENANTS_PER_ROUND_MAX } from "../walk-tenants.ts";
import { one, other, testDatabase, useTwoStores } from "../fixtures/stores.ts";

useTwoStores();

let sql: Client;

beforeAll(async () => {
  sql = new Client({ connectionString: testDatabase.url });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
});
// A round takes what others left.
beforeEach(async () => void (await sql.query("DELETE FROM deliveries")));

const OK: DeliveryOutcome = {
  status: 204,
  error: null,
  location: null,
  ms: 12,
  verdict: { next: "delivered" },
};
const retry = (delayMs: number): DeliveryOutcome => ({
  status: 307,
  error: null,
  location: "https://new.example.com/",
  ms: 3,
  verdict: { next: "retry", delayMs },
});

describe("a due delivery", () => {
  test("is claimed by one of many, with what it takes to send it", async () => {
    const key = await ended(one, await newTenant(one));
    const rounds = await Promise.all(
      [one, other, one, other].map(({ deliveries }) => deliveries.claim(ROUND)),
    );
    expect(rounds.flatMap(({ claimed }) => claimed)).toEqual([
      { ...key, n: 1, ...CALLBACK, tryNumber: 1, generations: [1], traceparent: TRACEPARENT },
    ]);
    expect(await one.deliveries.list(key)).toMatchObject([{ status: "pending", nextTryAt: null }]);
  });

  test("that was answered well is delivered, and due no more", async () => {
    const key = await ended(one, await newTenant(one));
    expect(await one.deliveries.record(await claimOnly(one), OK)).toBe(true);
    expect(await one.deliveries.list(key)).toMatchObject([
      {
        status: "delivered",
        nextTryAt: null,
        tries: [{ status: 204, error: null, location: null, ms: 12, at: expect.any(Date) }],
      },
    ]);
    expect((await one.deliveries.claim(ROUND)).claimed).toEqual([]);
  });

  test("that failed is due again when its pause is over, as its next try", async () => {
    const key = await ended(one, await newTenant(one));
    await one.deliveries.record(await claimOnly(one), retry(60_000));
    expect((await one.deliveries.claim(ROUND)).claimed).toEqual([]);
    const [waiting] = await one.deliveries.list(key);
    expect(waiting?.nextTryAt?.getTime()).toBeGreaterThan(Date.now() + 30_000);
    await sql.query("UPDATE deliveries SET due_at = now()");
    expect(await claimOnly(one)).toMatchObject({ tryNumber: 2 });
  });

  test("whose next try would come past its day has failed", async () => {
    const key = await ended(one, await newTenant(one));
    await one.deliveries.record(await claimOnly(one), retry(24 * 3_600_000 + 60_000));
    expect(await one.deliveries.list(key)).toMatchObject([{ status: "failed", nextTryAt: null }]);
  });

  test("whose worker died is due again, says so, and the dead one writes nothing more", async () => {
    const key = await ended(one, await newTenant(one));
    const lost = await claimOnly(one);
    await sql.query("UPDATE deliveries SET due_at = now()");
    const again = await claimOnly(one);
    expect(await one.deliveries.record(lost, OK)).toBe(false);
    expect(await one.deliveries.record(again, OK)).toBe(true);
    expect(await one.deliveries.record(again, OK)).toBe(false);
    const error = expect.stringContaining("lost");
    expect(await one.deliveries.list(key)).toMatchObject([
      { status: "delivered", tries: [{ status: null, ms: null, error }, { status: 204 }] },
    ]);
  });

  test(`keeps its last ${DELIVERY_TRIES_KEPT} tries`, async () => {
    const key = await ended(one, await newTenant(one));
    for (let tries = 1; tries <= DELIVERY_TRIES_KEPT + 3; tries += 1) {
      await one.deliveries.record(await claimOnly(one), { ...retry(0), ms: tries });
    }
    const [delivery] = await one.deliveries.list(key);
    expect(delivery?.tries).toHaveLength(DELIVERY_TRIES_KEPT);
    expect(delivery?.tries.at(-1)?.ms).toBe(DELIVERY_TRIES_KEPT + 3);
  });
});

describe("a round", () => {
  test("takes of each tenant only what is left to it, and no backlog hides another tenant's", async () => {
    const [a, b, c] = [await newTenant(one), await newTenant(one), await newTenant(one)].toSorted();
    for (let count = 0; count < 5; count += 1) await ended(one, a ?? "");
    await ended(one, b ?? "");
    for (let count = 0; count < 2; count += 1) await ended(one, c ?? "");
    const { claimed, next } = await one.deliveries.claim({
      ...ROUND,
      tenantMax: 3,
      busy: new Map([
        [a ?? "", 1],
        [c ?? "", 3],
      ]),
    });
    expect(claimed.map(({ tenantId }) => tenantId).toSorted()).toEqual([a, a, b]);
    expect(next).toBeNull();
  });

  test("that is full is gone on with behind its last tenant", async () => {
    const tenants = [await newTenant(one), await newTenant(one), await newTenant(one)].toSorted();
    for (const tenantId of tenants) await ended(one, tenantId);
    const seen: (string | undefined)[] = [];
    let after: string | null = null;
    for (let rounds = 0; rounds < 3; rounds += 1) {
      const { claimed, next } = await one.deliveries.claim({ ...ROUND, after, countMax: 1 });
      seen.push(claimed[0]?.tenantId);
      after = next;
    }
    expect(seen).toEqual(tenants);
    expect(await one.deliveries.claim({ ...ROUND, after })).toEqual({ claimed: [], next: null });
  });

  test(`looks at ${TENANTS_PER_ROUND_MAX} tenants, and the next one at those behind`, async () => {
    await sql.query(
      `INSERT INTO deliveries (execution_id, n, tenant_id, url, due_at, retry_until)
        SELECT 'exe_' || i, 1, 'ten_' || i, 'https://x.example/', now() + CASE WHEN i = $1 THEN '-1 s' ELSE '1 h' END::interval,
          now() + interval '1 day' FROM generate_series(10000, $1) AS i`,
      [10_000 + TENANTS_PER_ROUND_MAX],
    );
    const first = await one.deliveries.claim(ROUND);
    expect(first).toEqual({ claimed: [], next: `ten_${10_000 + TENANTS_PER_ROUND_MAX - 1}` });
    const second = await one.deliveries.claim({ ...ROUND, after: first.next });
    expect(second.claimed).toMatchObject([
      { tenantId: `ten_${10_000 + TENANTS_PER_ROUND_MAX}`, generations: [1] },
    ]);
    expect(second.next).toBeNull();
  });
});

describe("a redelivery", () => {
  test("is a new delivery to the same place, due at once, whatever became of the first", async () => {
    const key = await ended(one, await newTenant(one));
    await one.deliveries.record(await claimOnly(one), OK);
    expect(await one.deliveries.redeliver({ ...key, n: 1 })).toMatchObject({
      n: 2,
      url: CALLBACK.url,
      status: "pending",
    });
    expect(await claimOnly(one)).toMatchObject({ n: 2, tryNumber: 1, ...CALLBACK });
    expect((await one.deliveries.list(key)).map(({ status }) => status)).toEqual(["delivered", "pending"]);
    expect(await one.deliveries.redeliver({ ...key, n: 3 })).toBeNull();
  });

  test("that many ask for at once has a number of its own each time", async () => {
    const key = await ended(one, await newTenant(one));
    const made = await Promise.all(
      [one, other, one, other].map(({ deliveries }) => deliveries.redeliver({ ...key, n: 1 })),
    );
    expect(new Set(made.map((delivery) => delivery?.n))).toEqual(new Set([2, 3, 4, 5]));
  });

  test(`is refused past ${DELIVERIES_MAX}`, async () => {
    const key = await ended(one, await newTenant(one));
    await sql.query("UPDATE deliveries SET n = $1", [DELIVERIES_MAX]);
    const more = one.deliveries.redeliver({ ...key, n: DELIVERIES_MAX });
    await expect(more).rejects.toMatchObject({ code: "delivery.too_many" });
  });
});
