import { expect, test } from "vitest";
import { CACHE_BYTES_MAX, CACHE_MS } from "./bounds.ts";
import { PageCache, type FetchedPage, type PageAsked } from "./page-cache.ts";

const ASKED: PageAsked = { tenantId: "ten_a", allowedHosts: null, url: "https://a.example/", format: "text" };
const PAGE: FetchedPage = {
  url: ASKED.url,
  status: 200,
  page: { title: "t", text: "x", links: [], truncated: false },
};

test.each<[string, Partial<PageAsked>]>([
  ["tenant", { tenantId: "ten_b" }],
  ["address", { url: "https://a.example/?b" }],
  ["format", { format: "markdown" }],
  ["fence", { allowedHosts: ["a.example"] }],
])("another %s is another page", (_, change) => {
  const cache = new PageCache();
  cache.keep(ASKED, PAGE, []);
  expect(cache.get(ASKED)).toBe(PAGE);
  expect(cache.get({ ...ASKED, ...change })).toBeUndefined();
});

test.each<[string, Partial<PageAsked>, number, [string, string][]]>([
  ["errors", {}, 404, []],
  ["what its server wants not kept", {}, 200, [["Cache-Control", "no-store"]]],
  ["what is one person's", {}, 200, [["cache-control", "private, max-age=60"]]],
  ["what a user in the address opens", { url: "https://u:p@a.example/" }, 200, []],
  ["what a secret in the address opens", { url: `https://a.example/?k=bhs_${"0".repeat(48)}` }, 200, []],
])("%s are not kept", (_, change, status, headers) => {
  const cache = new PageCache();
  cache.keep({ ...ASKED, ...change }, { ...PAGE, status }, headers);
  expect(cache.get({ ...ASKED, ...change })).toBeUndefined();
});

test("a page is kept for a quarter of an hour, and all together within a bound", () => {
  let now = 1;
  const cache = new PageCache(() => now);
  cache.keep(ASKED, PAGE, []);
  now += CACHE_MS;
  expect(cache.get(ASKED)).toBe(PAGE);
  now += 1;
  expect(cache.get(ASKED)).toBeUndefined();
  const large = { ...PAGE, page: { ...PAGE.page, text: "x".repeat(CACHE_BYTES_MAX / 6) } };
  for (const n of [1, 2, 3, 4]) cache.keep({ ...ASKED, url: `https://a.example/${n}` }, large, []);
  expect(cache.get({ ...ASKED, url: "https://a.example/1" })).toBeUndefined();
  expect(cache.get({ ...ASKED, url: "https://a.example/4" })).toBe(large);
});
