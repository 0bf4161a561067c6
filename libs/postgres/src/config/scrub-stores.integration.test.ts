import { expect, test } from "vitest";
import { database, otherId, tenantId, useTwoTenants } from "../fixtures/stores.ts";

useTwoTenants();

const at = new Date("2026-01-02T03:04:05.678Z");

const rule = (name: string, pattern: string | null) => ({
  id: `scr_${name.padEnd(16, "0")}`,
  tenantId,
  name,
  pattern,
  wholeWordsOnly: pattern === null,
  createdBy: "key_1",
  createdAt: at,
});

test("rules are listed with what is sealed, their names are unique, and another tenant deletes none", async () => {
  const ticket = rule("a1", "TICKET-[0-9]+");
  expect(await database.scrubRules.create(ticket, null, 2)).toEqual(ticket);
  await database.scrubRules.create(rule("b2", null), "v1.sealed", 2);
  expect(await database.scrubRules.create(rule("c3", "x"), null, 2)).toBeNull();
  await expect(database.scrubRules.create({ ...ticket, id: "scr_other" }, null, 5)).rejects.toMatchObject({
    code: "scrub_rule.name_taken",
  });
  expect((await database.scrubRules.list(tenantId)).map(({ name, sealed }) => [name, sealed])).toEqual([
    ["a1", null],
    ["b2", "v1.sealed"],
  ]);
  expect(await database.scrubRules.delete(otherId, ticket.id)).toBeNull();
  expect(await database.scrubRules.delete(tenantId, ticket.id)).toEqual(ticket);
  expect(await database.scrubRules.list(tenantId)).toHaveLength(1);
});

test("counts add up, also from many at once", async () => {
  const counts = new Map([
    ["value", 2],
    ["aws_key", 1],
    ["none", 0],
  ]);
  await Promise.all(Array.from({ length: 8 }, () => database.scrubCounts.add(tenantId, counts)));
  await database.scrubCounts.add(tenantId, new Map());
  expect(await database.scrubCounts.list(tenantId)).toEqual([
    { kind: "value", count: 16 },
    { kind: "aws_key", count: 8 },
  ]);
  expect(await database.scrubCounts.list(otherId)).toEqual([]);
});

test("what is counted for a tenant that is gone is dropped, and keeps nobody's from being written", async () => {
  await database.scrubCounts.add("ten_0000000000000000", new Map([["value", 1]]));
  expect(await database.scrubCounts.list("ten_0000000000000000")).toEqual([]);
});
