import { expect, test } from "vitest";
import { configPurpose } from "./config-purpose.ts";

test("no two fields share a purpose, however their names are joined", () => {
  const places = [
    ["a", "b", "c"],
    ["a", "c", "b"],
    ["a/b", "", "c"],
    ["a", '","b', "c"],
    ['a","b', "", "c"],
    ["a", "b", ""],
  ] as const;
  const purposes = new Set(places.map(([service, entry, field]) => configPurpose(service, entry, field)));
  expect(purposes.size).toBe(places.length);
  for (const purpose of purposes) expect(purpose).toMatch(/^\["config",/);
});
