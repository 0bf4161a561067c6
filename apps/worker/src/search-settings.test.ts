import { readSettings } from "@bulkhead/process/settings";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkSearch, searchDefaultOf, searchSettings } from "./search-settings.ts";

const read = (env: NodeJS.ProcessEnv) =>
  searchDefaultOf(readSettings(z.object(searchSettings).superRefine(checkSearch), env));

test("an operator's engine is read, and no engine is none", () => {
  expect(read({})).toBeNull();
  expect(read({ SEARCH_PROVIDER: "searxng", SEARCH_BASE_URL: "http://searx:8080" })).toEqual({
    provider: "searxng",
    baseUrl: "http://searx:8080",
    engineId: null,
    key: null,
  });
  const google = { SEARCH_PROVIDER: "google", SEARCH_API_KEY: "k", SEARCH_ENGINE_ID: "cx" };
  expect(read(google)).toEqual({ provider: "google", baseUrl: null, engineId: "cx", key: "k" });
});

test.each([
  [{ SEARCH_PROVIDER: "altavista" }, /SEARCH_PROVIDER/],
  [{ SEARCH_PROVIDER: "searxng" }, /SEARCH_BASE_URL: must be set for searxng/],
  [{ SEARCH_PROVIDER: "brave" }, /SEARCH_API_KEY: must be set for brave/],
  [{ SEARCH_PROVIDER: "google", SEARCH_API_KEY: "k" }, /SEARCH_ENGINE_ID: must be set for google/],
  [{ SEARCH_API_KEY: "k" }, /SEARCH_PROVIDER: must be set/],
  [{ SEARCH_PROVIDER: "searxng", SEARCH_BASE_URL: "file:///etc" }, /SEARCH_BASE_URL: must be a URL/],
  [{ SEARCH_PROVIDER: "searxng", SEARCH_BASE_URL: "https://a:b@c.example" }, /without user/],
])("%j is refused at the start", (env, fault) => {
  expect(() => read(env)).toThrow(fault);
});
