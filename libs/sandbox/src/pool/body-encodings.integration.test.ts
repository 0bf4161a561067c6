import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { toolRun } from "./testing/tool-runs.ts";
import { Upstream } from "./testing/upstream.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 1, blankTarget: 1 });
});
afterAll(() => pool.close());

/** What an expression gives beside an upstream that answers with these bytes, or all that is on the error that it threw. */
async function outcomeOf(expression: string, upstream: Upstream): Promise<unknown> {
  const code = `try { return { value: await ${expression} } } catch (e) { return { ...e, name: e.name } }`;
  const run = toolRun(code, { network: true });
  const verdict = await pool.run(run, upstream.heard, new AbortController().signal);
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return verdict.outcome === "returned" ? JSON.parse(verdict.json) : undefined;
}

/** As the worker gives a body: as a text where its bytes are UTF-8, else as bytes. */
function answering(bytes: Buffer, type: string | null, status = 200): Upstream {
  const text = bytes.toString();
  const headers = type === null ? [] : [["content-type", type]];
  return new Upstream([Buffer.from(text).equals(bytes) ? text : bytes], { status, headers });
}
const warnings = (upstream: Upstream): string[] =>
  upstream.heard.said.filter((line) => line.startsWith("warn"));

const REST = "api.rest({ url: 'https://a.example' })";
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");
const SHIFT_JIS = hex("82a0 82a2");
const GBK = hex("c4e3 bac3");

it.each<[string, Buffer, string | null, unknown]>([
  ["Shift_JIS by the header", SHIFT_JIS, "text/plain; charset=Shift_JIS", "あい"],
  ["GBK by the header, in quotes", GBK, 'text/html;charset="gbk"', "你好"],
  ["by another label of it", GBK, "text/html; a=b; Charset=GB2312", "你好"],
  ["windows-1251", hex("cff0e8"), "text/plain;charset=windows-1251", "При"],
  ["Latin-1", hex("e9"), "text/plain; charset=ISO-8859-1", "é"],
  [
    "JSON in GBK",
    Buffer.concat([Buffer.from('{"a":"'), GBK, Buffer.from('"}')]),
    "application/json; charset=gbk",
    { a: "你好" },
  ],
  ["ISO-2022-JP, whose bytes are ASCII", hex("1b2442 2422 1b2842"), "text/plain;charset=iso-2022-jp", "あ"],
  ["bytes that are UTF-8 too", Buffer.from("é"), "text/plain;charset=latin1", "Ã©"],
  ["UTF-16 by its mark", hex("fffe 6100 6200"), null, "ab"],
  ["UTF-16, big, by its mark", hex("feff 0061"), "text/plain", "a"],
  ["a mark goes before the header", hex("efbbbf c3a9"), "text/plain;charset=shift_jis", "é"],
  ["UTF-8 with a mark", hex("efbbbf 61"), "text/plain;charset=utf-8", "a"],
  ["UTF-8 without a word", Buffer.from("é"), null, "é"],
  ["a label that nobody knows, over UTF-8", Buffer.from("é"), "text/plain;charset=own", "é"],
  ["an empty body", Buffer.alloc(0), "text/plain;charset=gbk", null],
])("api.rest reads %s", async (_, bytes, type, value) => {
  const upstream = answering(bytes, type);
  expect(await outcomeOf(REST, upstream)).toEqual({ value });
  expect(warnings(upstream)).toEqual([]);
});

it("the body of an HttpError is read so too", async () => {
  const upstream = answering(SHIFT_JIS, "text/plain;charset=shift_jis", 500);
  expect(await outcomeOf(REST, upstream)).toEqual({ name: "HttpError", status: 500, body: "あい" });
});

it("and an answer of GraphQL's", async () => {
  const body = Buffer.concat([Buffer.from('{"data":"'), GBK, Buffer.from('"}')]);
  const upstream = answering(body, "application/json;charset=gbk");
  expect(await outcomeOf("api.graphql({ url: 'https://a.example', query: '{a}' })", upstream)).toEqual({
    value: "你好",
  });
});

it.each<[string, string | null, string]>([
  ["image/png", "image/png", "of type image/png is no text in utf-8"],
  ["no type", null, "without a type is no text in utf-8"],
  [
    "a text that is not what it says",
    "text/plain;charset=utf-8",
    "of type text/plain;charset=utf-8 is no text in utf-8",
  ],
  [
    "a label that nobody knows",
    "text/plain;charset=own",
    "of type text/plain;charset=own is no text in utf-8",
  ],
  ["another encoding's fault", "text/plain;charset=gbk", "of type text/plain;charset=gbk is no text in gbk"],
])("bytes that are no text are told to be lost: %s", async (_, type, told) => {
  const upstream = answering(hex("89 50 ff fe"), type);
  const twice = `Promise.all([1, 2].map(async (n) => { if (n === 2) await null; return ${REST} }))`;
  const { value } = (await outcomeOf(twice, upstream)) as { value: string[] };
  expect(value[0]).toContain("\ufffd");
  expect(warnings(upstream)).toEqual([
    `warn: A body ${told}: its invalid bytes became U+FFFD. fetch and response.bytes() give its bytes; ` +
      "new TextDecoder(encoding) reads them where no header names the encoding.",
  ]);
});

it("fetch gives the bytes, and a TextDecoder reads them", async () => {
  const upstream = answering(GBK, "text/html");
  const call = "fetch('https://a.example').then(async (r) => new TextDecoder('gbk').decode(await r.bytes()))";
  expect(await outcomeOf(call, upstream)).toEqual({ value: "你好" });
});
