import { expect, test } from "vitest";
import { readBenchSearch, readNewToolSearch, showing } from "./builder-search.ts";

test("the first tabs stand in the address as nothing, and what is no tab is none", () => {
  expect(readBenchSearch({ tab: "code", side: "run", at: "main", saved: "yes" })).toEqual({});
  expect(readBenchSearch({ tab: "output", side: "permissions", at: "side", saved: true })).toEqual({
    tab: "output",
    side: "permissions",
    at: "side",
    saved: true,
  });
});

test("a tool begins with something that is named, with nothing, or it is asked", () => {
  expect(readNewToolSearch({ from: "template", of: "csv_report" })).toEqual({
    from: "template",
    of: "csv_report",
  });
  expect(readNewToolSearch({ from: "blank", of: "csv_report" })).toEqual({ from: "blank" });
  expect(readNewToolSearch({ from: "command", of: "x" })).toEqual({ from: "command" });
  expect(readNewToolSearch({ from: "template" })).toEqual({});
  expect(readNewToolSearch({ of: "csv_report" })).toEqual({});
});

test("a tab is shown on its own side", () => {
  expect([showing("code"), showing("details"), showing("run"), showing("permissions")]).toEqual([
    { tab: undefined, at: undefined },
    { tab: "details", at: undefined },
    { side: undefined, at: "side" },
    { side: "permissions", at: "side" },
  ]);
});
