import type { ConfigValue, HeldSecret, OpenedService, SearchDefault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { findEngine, NO_ENGINE } from "./find-engine.ts";

const KEY: HeldSecret = {
  service: "web_search",
  entry: "main",
  field: "api_key",
  value: "k".repeat(20),
  hosts: ["api.example"],
  revealed: false,
  inBody: false,
  wholeWordsOnly: false,
};
const OPERATORS: SearchDefault = {
  provider: "searxng",
  baseUrl: "http://searx.internal:8080/",
  engineId: null,
  key: "operator-key",
};

function find(
  values: Record<string, ConfigValue> | null,
  { key = KEY, byDefault = null }: { key?: HeldSecret | null; byDefault?: SearchDefault | null } = {},
) {
  const about = { displayName: null, description: null, category: null, docsUrl: null, multiEntry: false };
  const entry = { label: "main", isDefault: true, values: values ?? {}, secrets: key === null ? [] : [key] };
  const service: OpenedService = { name: "web_search", kind: "api", ...about, entries: [entry] };
  const configs = { open: async () => (values === null ? [] : [service]) };
  return findEngine({ configs, byDefault }, "ten_a");
}

test.each([
  [{ provider: "brave" }, "https://api.search.brave.com"],
  [{ provider: "tavily" }, "https://api.tavily.com"],
  [{ provider: "google", engine_id: "cx1" }, "https://www.googleapis.com"],
  [{ provider: "searxng", base_url: "https://s.example/x/" }, "https://s.example/x"],
])("%j is asked at %s, and the key goes as a placeholder", async (values, baseUrl) => {
  const found = await find(values);
  expect(found).toMatchObject({ owner: "tenant", place: { baseUrl } });
  expect(JSON.stringify(found)).toContain('"key":"bhs_');
});

test.each([
  [{}, /provider must be one of/],
  [{ provider: "altavista" }, /provider must be one of/],
  [{ provider: "searxng" }, /searxng needs base_url/],
  [{ provider: "google" }, /google needs engine_id/],
])("%j is no engine, and it is said why", async (values, why) => {
  expect(await find(values)).toMatch(why);
});

test("a key that is missing, or given to code, is told", async () => {
  expect(await find({ provider: "brave" }, { key: null })).toMatch(/brave needs api_key/);
  expect(await find({ provider: "brave" }, { key: { ...KEY, revealed: true } })).toMatch(/delivery/);
});

test("the tenant's own goes before the operator's, whose key goes to its host alone", async () => {
  expect(await find(null)).toBe(NO_ENGINE);
  expect(await find({ provider: "brave" }, { byDefault: OPERATORS })).toMatchObject({ owner: "tenant" });
  expect(await find(null, { byDefault: OPERATORS })).toMatchObject({
    owner: "operator",
    place: { baseUrl: "http://searx.internal:8080" },
    secrets: [{ secret: { value: "operator-key", hosts: ["searx.internal:8080"] } }],
  });
});
