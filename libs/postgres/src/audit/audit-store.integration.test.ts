import { newAuditId, type AuditDeed, type NewAuditEntry } from "@bulkhead/core";
import { queryRows } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { database, testDatabase, useStores } from "../fixtures/stores.ts";

useStores();

const sql = (text: string) => queryRows(testDatabase.url, text);

const entry = (tenantId: string, deed: Partial<AuditDeed> = {}): NewAuditEntry => ({
  entryId: newAuditId(),
  tenantId,
  action: "tool.updated",
  id: "tool_1",
  name: "greet",
  beforeHash: "a",
  afterHash: "b",
  details: { version: 2, fields: ["code"] },
  role: "owner",
  keyId: "key_1",
  agentId: null,
  requestId: "req_1",
  ...deed,
});

const idsOf = async (tenantId: string, page = {}) =>
  (await database.auditEntries.list(tenantId, { limit: 100, ...page })).map(({ entryId }) => entryId);

test("entries are read as they were put down, newest first, page by page, by their own tenant alone", async () => {
  const entries = Array.from({ length: 5 }, () => entry("ten_pages"));
  await database.auditEntries.insert(entries.slice(0, 3));
  await database.auditEntries.insert(entries.slice(3));
  const newestFirst = entries.map(({ entryId }) => entryId).toReversed();
  expect(await idsOf("ten_pages")).toEqual(newestFirst);
  const [one] = await database.auditEntries.list("ten_pages", { limit: 1 });
  expect(one).toEqual({ ...entries.at(-1), at: expect.any(Date) });
  expect(await idsOf("ten_pages", { limit: 2, before: newestFirst[1] })).toEqual(newestFirst.slice(2, 4));
  expect(await idsOf("ten_other")).toEqual([]);
  expect(await idsOf("ten_other", { before: newestFirst[0] })).toEqual([]);
});

test("each filter leaves what it names", async () => {
  const tool = entry("ten_filters");
  const key = {
    ...entry("ten_filters", { action: "api_key.created", id: "key_9", beforeHash: null, afterHash: null }),
    keyId: "key_2",
  };
  await database.auditEntries.insert([tool, key]);
  const [newer, older] = await database.auditEntries.list("ten_filters", { limit: 2 });
  for (const page of [
    { action: "api_key.created" },
    { subjectType: "api_key" },
    { subjectId: "key_9" },
    { keyId: "key_2" },
  ])
    expect(await idsOf("ten_filters", page)).toEqual([key.entryId]);
  expect(newer?.entryId).toBe(key.entryId);
  const hourMs = 3_600_000;
  const hourOff = (ms: number) => new Date((older?.at.getTime() ?? 0) + ms);
  expect(await idsOf("ten_filters", { from: hourOff(-hourMs), to: hourOff(hourMs) })).toHaveLength(2);
  expect(await idsOf("ten_filters", { to: hourOff(-hourMs) })).toEqual([]);
  expect(await idsOf("ten_filters", { from: hourOff(hourMs) })).toEqual([]);
});

test.each([
  "UPDATE audit_entries SET action = 'tool.created'",
  "DELETE FROM audit_entries",
  "TRUNCATE audit_entries",
  // Even the way that drops old ones leaves young ones.
  "WITH on_ AS MATERIALIZED (SELECT set_config('bulkhead.audit_retention', 'on', false)) DELETE FROM audit_entries USING on_",
])("the database refuses: %s", async (statement) => {
  const kept = entry("ten_kept");
  await database.auditEntries.insert([kept]);
  await expect(sql(statement)).rejects.toThrow(/immutable|only grows/);
  expect(await idsOf("ten_kept")).toContain(kept.entryId);
});

test("what is past its time is dropped, some at once, and nothing of the last 30 days, whatever is asked", async () => {
  const ages = [500, 450, 401, 399, 31, 29];
  for (const age of ages)
    await sql(`INSERT INTO audit_entries (id, tenant_id, at, action, subject_type, subject_id, role, key_id)
      VALUES ('aud_${age}', 'ten_old', now() - interval '${age} days', 'tool.created', 'tool', 't', 'owner', 'k')
      RETURNING id`);
  const left = () => idsOf("ten_old");
  expect(await database.auditEntries.dropOld(400, 2)).toBe(2);
  expect(await left()).toEqual(["aud_29", "aud_31", "aud_399", "aud_401"]);
  expect(await database.auditEntries.dropOld(400, 2)).toBe(1);
  expect(await database.auditEntries.dropOld(0, 100)).toBe(2);
  expect(await left()).toEqual(["aud_29"]);
  await expect(sql("DELETE FROM audit_entries WHERE id = 'aud_29'")).rejects.toThrow("only grows");
});
