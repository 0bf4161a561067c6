import type { ConfigEntry, ConfigServiceSummary } from "@bulkhead/client";
import { expect, test } from "vitest";
import { deliveryWords, missingWords, someOf } from "./service-words.ts";

const standing = (configured: boolean, labels: string[]) => ({ configured, labels }) as ConfigServiceSummary;
const entry = (isDefault: boolean, missing: string[]) => ({ isDefault, missing }) as ConfigEntry;

test("what a service lacks is said by its default entry", () => {
  expect(missingWords(standing(true, ["a"]), undefined)).toBeNull();
  expect(missingWords(standing(false, []), [])).toBe("Nothing is filled in");
  expect(missingWords(standing(false, ["a"]), undefined)).toBe("Something is missing");
  expect(
    missingWords(standing(false, ["a", "b"]), [entry(false, ["x"]), entry(true, ["api_key", "user"])]),
  ).toBe("api_key, user missing");
});

test("some of many names are told with how many more there are", () => {
  expect([someOf([], 2), someOf(["a"], 2), someOf(["a", "b"], 2), someOf(["a", "b", "c"], 2)]).toEqual([
    "",
    "a",
    "a and b",
    "a, b and 1 more",
  ]);
});

test("a value that code can read is called a risk", () => {
  expect(deliveryWords({ delivery: "reveal", exchangeInBody: false }).isRisky).toBe(true);
  expect(deliveryWords({ delivery: "placeholder", exchangeInBody: true })).toMatchObject({
    isRisky: false,
    words: expect.stringContaining("request bodies"),
  });
});
