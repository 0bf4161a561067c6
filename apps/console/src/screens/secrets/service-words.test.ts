import { expect, test } from "vitest";
import { builtInUser, deliveryWords, missingWords, someOf, tellsHosts } from "./service-words.ts";

test("what a service lacks is said by its default entry", () => {
  expect(missingWords({ configured: true, labels: ["a"], missing: [] })).toBeNull();
  expect(missingWords({ configured: false, labels: [], missing: ["api_key"] })).toBe("Nothing is filled in");
  expect(missingWords({ configured: false, labels: ["a"], missing: ["api_key", "user"] })).toBe(
    "api_key, user missing",
  );
});

test("some of many names are told with how many more there are", () => {
  expect([someOf([], 2), someOf(["a"], 2), someOf(["a", "b"], 2), someOf(["a", "b", "c"], 2)]).toEqual([
    "",
    "a",
    "a and b",
    "a, b and 1 more",
  ]);
  expect(someOf(["a", "b", "c"], 2, 9)).toBe("a, b and 7 more");
});

test("that secrets go nowhere is said of no channel and no database, which have their place among their fields", () => {
  expect([tellsHosts({ kind: "api" }, { hosts: [] }), tellsHosts({ kind: "smtp" }, { hosts: [] })]).toEqual([
    true,
    false,
  ]);
  expect(tellsHosts({ kind: "image" }, { hosts: ["images.example"] })).toBe(true);
});

test.each([
  ["postgres", "shop", "database_query"],
  ["slack", "team", "message"],
  ["image", "image", "image"],
  ["image", "pictures", null],
  ["speech", "tts_openai", "tts"],
  ["api", "web_search", "web_search"],
  ["api", "weather", null],
] as const)("a service of the kind %s called %s is asked by %s", (kind, name, tool) => {
  expect(builtInUser({ kind, name })).toBe(tool);
});

test("a value that code can read is called a risk", () => {
  expect(deliveryWords({ delivery: "reveal", exchangeInBody: false }).isRisky).toBe(true);
  expect(deliveryWords({ delivery: "placeholder", exchangeInBody: true })).toMatchObject({
    isRisky: false,
    words: expect.stringContaining("request bodies"),
  });
});
