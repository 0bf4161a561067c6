import type { CatalogueQuery, PageMark } from "@bulkhead/core";
import { queryRows } from "@bulkhead/testing";
import { describe, expect, test } from "vitest";
import { ALL_TOOLS } from "../fixtures/samples.ts";
import { namesOf, NEWEST_FIRST, tenantWith } from "../fixtures/tenant-tools.ts";
import { database, testDatabase, useTwoTenants } from "../fixtures/stores.ts";

useTwoTenants();

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe("a page", () => {
  test("is newest first, filtered and counted over all pages", async () => {
    const tenantId = await tenantWith([
      { name: "b", createdAt: at(2), category: "c" },
      { name: "a", createdAt: at(1), category: "c" },
      { name: "d", createdAt: at(3), category: "c", createdBy: "llm" },
    ]);
    const page = async (query: Partial<CatalogueQuery>) => {
      const found = await database.catalogue.page(tenantId, { ...NEWEST_FIRST, limit: 2, ...query });
      return [found.tools.map(({ name }) => name), found.count, found.next !== null];
    };
    expect(await page({})).toEqual([["d", "b"], 3, true]);
    expect(await page({ offset: 2 })).toEqual([["a"], 3, false]);
    expect(await page({ offset: 9 })).toEqual([[], 3, false]);
    expect(await page({ createdBy: "user", category: "c", status: "active" })).toEqual([
      ["b", "a"],
      2,
      false,
    ]);
    expect(await page({ status: "disabled" })).toEqual([[], 0, false]);
    expect(await namesOf(await tenantWith([]))).toEqual([]);
  });

  test.each([
    ["createdAt", "asc"],
    ["createdAt", "desc"],
    ["updatedAt", "asc"],
    ["updatedAt", "desc"],
    ["name", "asc"],
    ["name", "desc"],
    ["usageCount", "asc"],
    ["usageCount", "desc"],
  ] as const)(
    "by %s, %s, leads to the next one without repeating or leaving out, also among equals",
    async (sort, order) => {
      const tenantId = await tenantWith(
        Array.from({ length: 11 }, (_, n) => ({ name: `t_${n}`, createdAt: at(n % 3) })),
      );
      await queryRows(
        testDatabase.url,
        `UPDATE tools SET usage_count = length(name) + right(name, 1)::int % 2 WHERE tenant_id = '${tenantId}'`,
      );
      const all = await namesOf(tenantId, { sort, order });
      expect(new Set(all).size).toBe(11);
      const seen: string[] = [];
      let after: PageMark | null = null;
      do {
        const page = await database.catalogue.page(tenantId, {
          scope: ALL_TOOLS,
          sort,
          order,
          limit: 3,
          offset: 0,
          ...(after === null ? {} : { after }),
        });
        expect(page.count).toBe(11);
        seen.push(...page.tools.map(({ name }) => name));
        after = page.next;
      } while (after !== null);
      expect(seen).toEqual(all);
      expect(await namesOf(tenantId, { sort, order: order === "asc" ? "desc" : "asc" })).toEqual(
        all.toReversed(),
      );
    },
  );

  test("goes on behind a tool that is gone", async () => {
    const tenantId = await tenantWith([1, 2, 3].map((n) => ({ name: `t_${n}`, createdAt: at(n) })));
    const { tools, next } = await database.catalogue.page(tenantId, { ...NEWEST_FIRST, limit: 1 });
    await database.tools.delete(tenantId, tools[0]?.id ?? "");
    expect(await namesOf(tenantId, { after: next ?? { value: 0, id: "" } })).toEqual(["t_2", "t_1"]);
  });

  test("shows no other tenant's tools", async () => {
    await tenantWith([{ name: "mine", description: "weather" }]);
    const other = await tenantWith([{ name: "theirs", description: "weather" }]);
    expect(await namesOf(other)).toEqual(["theirs"]);
    expect(await namesOf(other, { words: ["weather"] })).toEqual(["theirs"]);
    expect(
      (await database.catalogue.search(other, { scope: ALL_TOOLS, words: ["weather"], limit: 9 })).map(
        ({ name }) => name,
      ),
    ).toEqual(["theirs"]);
  });
});

test("an active tool is listed with all that says whether a person is asked about its calls", async () => {
  const says = [{ approval: "preApproved" }, { createdBy: "llm" }, { approvalCode: "return true;" }] as const;
  const tenantId = await tenantWith(says.map((said, n) => ({ name: `t_${n}`, createdAt: at(n), ...said })));
  const listed = await database.tools.listActive(tenantId, ALL_TOOLS, 3);
  expect(listed.map(({ approval, createdBy, approvalCode }) => [approval, createdBy, approvalCode])).toEqual([
    [null, "user", true],
    [null, "llm", undefined],
    ["preApproved", "user", undefined],
  ]);
});

test("the statistics count every status, maker and use", async () => {
  const tenantId = await tenantWith([
    { status: "active", category: "text" },
    { status: "active", createdBy: "llm", category: "files" },
    { status: "disabled", category: "text" },
    { status: "pending_approval", createdBy: "llm" },
    { status: "rejected", createdBy: "llm" },
  ]);
  await queryRows(
    testDatabase.url,
    `UPDATE tools SET usage_count = 3 WHERE tenant_id = '${tenantId}' AND status = 'active'`,
  );
  expect(await database.catalogue.stats(tenantId, ALL_TOOLS)).toEqual({
    total: 5,
    active: 2,
    disabled: 1,
    rejected: 1,
    pendingApproval: 1,
    createdByLlm: 3,
    createdByUser: 2,
    totalUsage: 6,
    categories: [
      { name: "text", count: 2 },
      { name: "files", count: 1 },
    ],
  });
  expect(await database.catalogue.stats(await tenantWith([]), ALL_TOOLS)).toMatchObject({
    total: 0,
    totalUsage: 0,
    categories: [],
  });
});
