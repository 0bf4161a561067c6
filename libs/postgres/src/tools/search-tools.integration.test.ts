import { searchWords, TERMS_RULE } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { ALL_TOOLS, sampleTool } from "../fixtures/samples.ts";
import { namesOf, tenantWith } from "../fixtures/tenant-tools.ts";
import { database, testDatabase, useTwoTenants } from "../fixtures/stores.ts";
import { BATCH_TERMS_MAX, BATCH_TOOLS_MAX } from "./tool-terms.ts";

useTwoTenants();

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
      {
        name: "einvoice",
        description: "本工具用于生成电子发票并发送邮件。 nai\u0308ve ＰＤＦ, Straße",
        category: "票据",
      },
      { name: "wetter", description: "東京の天気を調べる" },
      { name: "thai", description: "เครื่องมือส่งอีเมลถึงลูกค้า, 이메일을 보내기" },
    ]);
  });
  const listed = async (text: string) =>
    (await namesOf(tenantId, { words: searchWords(text), sort: "name", order: "asc" })).join(" ");

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
    ["天", "groesse wetter"],
    ["天気", "groesse wetter"],
    ["東京 天気", "wetter"],
    ["気を", "wetter"],
    ["べ", "wetter"],
    ["气天", ""],
    ["发票", "einvoice"],
    ["邮件", "einvoice"],
    ["电子发票", "einvoice"],
    ["票据", "einvoice"],
    ["票发", ""],
    ["naïve", "einvoice"],
    ["naive", "einvoice"],
    ["grosse", "groesse"],
    ["grös", "groesse"],
    ["gröser", ""],
    ["pdf", "einvoice"],
    ["STRASSE", "einvoice"],
    ["straẞe", "einvoice"],
    ["อีเมล", "thai"],
    ["ลูกค้า", "thai"],
    ["이메일", "thai"],
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

  test("of a model finds words where no blanks are, and whole words first", async () => {
    const ranked = await tenantWith([
      { name: "a", description: "東京都の天気" },
      { name: "b", description: "京都の天気" },
      { name: "mailbox", description: "x" },
      { name: "c", description: "sends mail" },
      { name: "d", description: "发送邮件" },
    ]);
    const found = async (text: string) =>
      (await database.catalogue.search(ranked, { scope: ALL_TOOLS, words: searchWords(text), limit: 9 })).map(
        ({ name }) => name,
      );
    expect(await found("京都")).toEqual(["b", "a"]);
    expect(await found("京都の天気を調べたい")).toEqual(["b", "a"]);
    expect(await found("mail")).toEqual(["c", "mailbox"]);
    expect(await found("帮我发送一个邮件")).toEqual(["d"]);
  });

  test("finds what was written while nobody looked, by as many as look at once", async () => {
    const many = await tenantWith(
      Array.from({ length: 100 }, (_, n) => ({ name: `tool_${n}`, description: "one of many" })),
    );
    const counts = await Promise.all(
      Array.from({ length: 5 }, async () => (await namesOf(many, { words: ["many"], limit: 200 })).length),
    );
    expect(counts).toEqual([100, 100, 100, 100, 100]);
  });

  test.runIf(isNightly)(
    "makes the terms of all tools in steps, however many there are and however many words one has",
    async () => {
      const words = (of: number) => Array.from({ length: of }, (_, n) => `${n}x${of}`).join(" ");
      const large = { description: words(BATCH_TERMS_MAX + 1) };
      const many = await tenantWith([
        large,
        ...Array.from({ length: BATCH_TOOLS_MAX }, (_, n) => ({ description: `number${n} ${words(25)}` })),
        large,
      ]);
      expect(await namesOf(many, { words: [`${BATCH_TERMS_MAX}x${BATCH_TERMS_MAX + 1}`] })).toHaveLength(2);
      expect(await namesOf(many, { words: ["24x25"] })).toHaveLength(BATCH_TOOLS_MAX);
      for (const n of [20, 79, BATCH_TOOLS_MAX - 1])
        expect(await namesOf(many, { words: [`number${n}`] })).toHaveLength(1);
      await testDatabase.execute(`DO $$ BEGIN
      ASSERT NOT EXISTS (SELECT FROM tools WHERE tenant_id = '${many}' AND terms_rule < ${TERMS_RULE});
    END $$`);
    },
  );

  test("makes terms anew that were made by an older rule, and leaves those of a newer one", async () => {
    const old = await tenantWith([{ name: "cafeteria", description: "Le café" }]);
    expect(await namesOf(old, { words: ["cafe"] })).toEqual(["cafeteria"]);
    const setRule = (rule: number) =>
      testDatabase.execute(`UPDATE tools SET terms_rule = ${rule} WHERE tenant_id = '${old}';
        UPDATE tool_terms SET terms = '''stale''' WHERE tool_id IN (SELECT id FROM tools WHERE tenant_id = '${old}')`);
    await setRule(TERMS_RULE - 1);
    expect(await namesOf(old, { words: ["le", "cafe"] })).toEqual(["cafeteria"]);
    await setRule(TERMS_RULE + 1);
    expect(await namesOf(old, { words: ["le", "cafe"] })).toEqual([]);
  });

  test("follows a change of the text", async () => {
    const { id } = await database.tools.create(
      sampleTool(tenantId, { name: "changing", description: "apples" }),
    );
    await database.tools.update(tenantId, id, 1, { description: "pears" });
    expect([await listed("apples"), await listed("pears")]).toEqual(["", "changing"]);
    await database.tools.update(tenantId, id, 2, { category: "Früchte" });
    expect([await listed("früchte"), await listed("pears")]).toEqual(["changing", "changing"]);
  });
});
