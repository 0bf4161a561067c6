import { leakCheck } from "@bulkhead/testing";
import { afterEach, expect, test } from "vitest";
import { PageReader } from "./page-reader.ts";

leakCheck();

let reader = new PageReader();
afterEach(async () => {
  await reader.close();
  reader = new PageReader();
});

const read = (html: string) =>
  reader.read({
    bytes: Buffer.from(html),
    contentType: "text/html",
    url: "https://a.example/",
    textCharsMax: 100,
  });

test("many pages at once are all read, each its own", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, (_, at) => read(`<p>page ${at}`)));
  expect(all.map((reading) => (reading.outcome === "read" ? reading.page?.text : reading.outcome))).toEqual(
    Array.from({ length: 20 }, (_, at) => `page ${at}`),
  );
});

test("a page that takes too long ends its thread, and the next one is read", async () => {
  // Tables are laid out by columns: each row here has its own.
  const hostile = `<table>${"<tr>".concat("<td colspan=1000 rowspan=1000>x").repeat(3_000)}</table>`;
  expect((await read(hostile)).outcome).toMatch(/overran|died/);
  expect(await read("<p>well")).toMatchObject({ outcome: "read", page: { text: "well" } });
});

test("a reader that is closed reads nothing, and leaves no thread", async () => {
  const underWay = read("<p>x".repeat(1_000));
  await reader.close();
  expect((await underWay).outcome).toMatch(/unavailable|read/);
  expect(await read("<p>x")).toEqual({ outcome: "unavailable" });
});
