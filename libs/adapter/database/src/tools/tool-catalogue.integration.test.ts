import { newToolId, searchWords, type CatalogueQuery, type NewTool, type PageMark } from "@bulkhead/domain";
import { leakCheck, openTestDatabase, queryRows, type TestDatabase } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ALL_TOOLS, sampleTenant, sampleTool } from "../fixtures/samples.ts";
import { openDatabase, type Database } from "../open-database.ts";

leakCheck();

let anchor: TestDatabase;
let database: Database;

beforeAll(async () => {
  anchor = await openTestDatabase();
  database = await openDatabase({ url: anchor.url, poolMax: 4 });
});
afterAll(async () => {
  await database.close();
  await anchor.close();
});

const NEWEST_FIRST = {
  scope: ALL_TOOLS,
  sort: "createdAt",
  order: "desc",
  limit: 100,
  offset: 0,
} as const;
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

async function tenantWith(tools: Partial<NewTool>[]): Promise<string> {
  const { id } = await database.tenants.create(sampleTenant());
  for (const fields of tools) await database.tools.create(sampleTool(id, { id: newToolId(), ...fields }));
  return id;
}

const names = async (tenantId: string, query: Partial<CatalogueQuery> = {}) =>
  (await database.catalogue.page(tenantId, { ...NEWEST_FIRST, ...query })).tools.map(({ name }) => name);

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
    expect(await names(await tenantWith([]))).toEqual([]);
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
        anchor.url,
        `UPDATE tools SET usage_count = length(name) + right(name, 1)::int % 2 WHERE tenant_id = '${tenantId}'`,
      );
      const all = await names(tenantId, { sort, order });
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
      expect(await names(tenantId, { sort, order: order === "asc" ? "desc" : "asc" })).toEqual(
        all.toReversed(),
      );
    },
  );

  test("goes on behind a tool that is gone", async () => {
    const tenantId = await tenantWith([1, 2, 3].map((n) => ({ name: `t_${n}`, createdAt: at(n) })));
    const { tools, next } = await database.catalogue.page(tenantId, { ...NEWEST_FIRST, limit: 1 });
    await database.tools.delete(tenantId, tools[0]?.id ?? "");
    expect(await names(tenantId, { after: next ?? { value: 0, id: "" } })).toEqual(["t_2", "t_1"]);
  });

  test("shows no other tenant's tools", async () => {
    await tenantWith([{ name: "mine", description: "weather" }]);
    const other = await tenantWith([{ name: "theirs", description: "weather" }]);
    expect(await names(other)).toEqual(["theirs"]);
    expect(await names(other, { words: ["weather"] })).toEqual(["theirs"]);
    expect(
      (await database.catalogue.search(other, { scope: ALL_TOOLS, words: ["weather"], limit: 9 })).map(
        ({ name }) => name,
      ),
    ).toEqual(["theirs"]);
  });
});

describe("a search", () => {
  let tenantId: string;
  beforeAll(async () => {
    tenantId = await tenantWith([
      { name: "fetch_weather", description: "Looks up a forecast", category: "Maps/Geo" },
      {
        name: "send_mail",
        description: "Sends the weather report, by e-mail to user@example.com",
        category: "Mail",
      },
      {
        name: "parse_csv",
        description: "Reads <b>columns</b> of /tmp/file.csv & https://x.org/a?b=c",
        category: null,
      },
      { name: "off", description: "weather", status: "disabled" },
      { name: "groesse", description: "Größe messen, 天気 zeigen" },
    ]);
  });
  const listed = async (text: string) =>
    (await names(tenantId, { words: searchWords(text), sort: "name", order: "asc" })).join(" ");

  test.each([
    ["weather", "fetch_weather off send_mail"],
    ["WEATHER", "fetch_weather off send_mail"],
    ["weather report", "send_mail"],
    ["report weather", "send_mail"],
    ["weather fore", "fetch_weather"],
    ["fore weather", ""],
    ["forecasts", "fetch_weather"],
    ["looking up", "fetch_weather"],
    ["fetch_weather", "fetch_weather"],
    ["geo", "fetch_weather"],
    ["example", "send_mail"],
    ["user@example.com", "send_mail"],
    ["columns", "parse_csv"],
    ["tmp", "parse_csv"],
    ["Größe", "groesse"],
    ["größ", "groesse"],
    ["天", "groesse"],
    ["the weather", "fetch_weather off send_mail"],
    ["eather", "fetch_weather"],
    ["ch_wea", "fetch_weather"],
    ["CH-Wea", "fetch_weather"],
    ["ch wea", "fetch_weather"],
    ["_mail", "send_mail"],
    ["wea ch", ""],
    ["ch_ther", ""],
    ["ch%wea", "fetch_weather"],
    ["f%r", ""],
    ["f_tch", ""],
    ["%", ""],
    ["_", ""],
    ["\\", ""],
    ["ten", ""],
    ["nothing like it", ""],
    ["", ""],
    ["!!! :* | & '", ""],
  ])("for %j finds %j", async (text, expected) => {
    expect(await listed(text)).toBe(expected);
  });

  test.each([
    "a' | 'b",
    "weather':* | 'x",
    "\\",
    "((((",
    "<->",
    "'; DROP TABLE tools; --",
    "\u0001",
    "x".repeat(500),
    "🦈",
    "a&b|c!d",
  ])("for %j harms nothing", async (text) => {
    await expect(listed(text)).resolves.toBeTypeOf("string");
    await expect(
      database.catalogue.search(tenantId, { scope: ALL_TOOLS, words: searchWords(text), limit: 5 }),
    ).resolves.toBeInstanceOf(Array);
  });

  test("of a model answers active tools with any of the words: the name before the category before the description", async () => {
    const ranked = await tenantWith([
      { name: "in_text", description: "about a weather" },
      { name: "in_category", description: "x", category: "Weather" },
      { name: "weather_tool", description: "x" },
      { name: "both", description: "weather forecast", category: "Weather" },
      { name: "weather_off", description: "x", status: "pending_approval" },
    ]);
    const found = async (text: string) =>
      (await database.catalogue.search(ranked, { scope: ALL_TOOLS, words: searchWords(text), limit: 3 })).map(
        ({ name }) => name,
      );
    expect(await found("weather")).toEqual(["weather_tool", "both", "in_category"]);
    expect(await found("a forecast")).toEqual(["both"]);
    expect(await found("forecast of text or weather")).toEqual(["in_text", "weather_tool", "both"]);
    expect(await found("unheard of")).toEqual([]);
  });

  test("follows a change of the text", async () => {
    const { id } = await database.tools.create(
      sampleTool(tenantId, { name: "changing", description: "apples" }),
    );
    await database.tools.update(tenantId, id, 1, { description: "pears" });
    expect([await listed("apples"), await listed("pears")]).toEqual(["", "changing"]);
  });
});

test("the statistics count every status, maker and use", async () => {
  const tenantId = await tenantWith([
    { status: "active" },
    { status: "active", createdBy: "llm" },
    { status: "disabled" },
    { status: "pending_approval", createdBy: "llm" },
    { status: "rejected", createdBy: "llm" },
  ]);
  await queryRows(
    anchor.url,
    `UPDATE tools SET usage_count = 3 WHERE tenant_id = '${tenantId}' AND status = 'active'`,
  );
  expect(await database.catalogue.stats(tenantId, ALL_TOOLS)).toEqual({
    total: 5,
    active: 2,
    disabled: 1,
    pendingApproval: 1,
    createdByLlm: 3,
    createdByUser: 2,
    totalUsage: 6,
  });
  expect(await database.catalogue.stats(await tenantWith([]), ALL_TOOLS)).toMatchObject({
    total: 0,
    totalUsage: 0,
  });
});
