import { isNightly, openTestDatabase, type TestDatabase } from "@bulkhead/testing";
import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sampleTenant } from "../fixtures/samples.ts";
import { openDatabase, type Database } from "../open-database.ts";

let testDatabase: TestDatabase;
let database: Database;
let tenantId: string;

beforeAll(async () => {
  testDatabase = await openTestDatabase();
  database = await openDatabase({ url: testDatabase.url, poolMax: 4 });
});
beforeEach(async () => {
  ({ id: tenantId } = await database.tenants.create(sampleTenant()));
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.close();
});

const HOUR_MS = 3_600_000;
/** In the middle of an hour, so many hours behind the first moment of the test. */
const take = (count: number, max: number, hours = 0, of = tenantId) =>
  database.messageCounts.take(of, count, max, new Date(1_800_000_000_000 + (hours + 0.5) * HOUR_MS));

test("so many are counted as the bound lets, all of them or none, and each tenant's on their own", async () => {
  expect(await take(3, 5)).toEqual({ counted: true });
  expect(await take(3, 5)).toMatchObject({ counted: false });
  expect(await take(2, 5)).toEqual({ counted: true });
  const { id } = await database.tenants.create(sampleTenant());
  expect(await take(5, 5, 0, id)).toEqual({ counted: true });
  expect(await take(6, 5)).toEqual({ counted: false, retryAfterMs: null });
  expect(await take(1, 6)).toEqual({ counted: true });
});

test("what is refused may be counted when enough is a day old", async () => {
  await take(2, 5);
  await take(3, 5, 10);
  const hours = async (count: number) => {
    const taken = await take(count, 5, 10);
    return taken.counted ? null : Number(taken.retryAfterMs) / HOUR_MS;
  };
  expect([await hours(2), await hours(3)]).toEqual([14.5, 24.5]);
  expect(await take(2, 5, 24)).toMatchObject({ counted: false });
  expect(await take(2, 5, 25)).toEqual({ counted: true });
});

test("of many at once no more are counted than may be", async () => {
  const all = await Promise.all(Array.from({ length: 40 }, () => take(1, 7)));
  expect(all.filter(({ counted }) => counted)).toHaveLength(7);
});

test("whatever is sent when, in no 25 hours are there more, and whatever may be is counted", async () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 13 }), fc.integer({ min: 1, max: 4 }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { id } = await database.tenants.create(sampleTenant());
      let now = 0;
      const sent: [hour: number, count: number][] = [];
      for (const [hours, count] of steps) {
        now += hours;
        const lately = sent.reduce((sum, [hour, one]) => (hour >= now - 24 ? sum + one : sum), 0);
        const { counted } = await take(count, 5, now, id);
        expect(counted).toBe(lately + count <= 5);
        if (counted) sent.push([now, count]);
      }
    }),
    { numRuns: isNightly ? 15 : 5 },
  );
});
