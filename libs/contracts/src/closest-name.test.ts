import { expect, test } from "vitest";
import { closestName } from "./closest-name.ts";

const FIELDS = ["name", "timeZone", "timeoutMs", "everyMs", "requiredApiKeys", "id", "on", "cron"];

test.each([
  ["another case", "timezone", "timeZone"],
  ["underscores", "required_api_keys", "requiredApiKeys"],
  ["hyphens", "Time-Zone", "timeZone"],
  ["a missing letter", "timeoutM", "timeoutMs"],
  ["two letters exchanged", "timeuotMs", "timeoutMs"],
  ["one letter too many", "names", "name"],
])("a name with %s is known again", (_what, name, meant) => {
  expect(closestName(name, FIELDS)).toBe(meant);
});

test.each(["colour", "x", "in", "timeoutMilliseconds", "", "names".repeat(1_000)])(
  "%j is close to nothing",
  (name) => {
    expect(closestName(name, FIELDS)).toBeNull();
  },
);

test("of several the closest is meant", () => {
  expect(closestName("bytesOnt", ["bytesIn", "bytesOut"])).toBe("bytesOut");
});

test("a name among none is close to nothing", () => {
  expect(closestName("name", [])).toBeNull();
});
