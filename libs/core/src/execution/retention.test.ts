import { expect, test } from "vitest";
import { keepsNothing, NOTHING_KEPT, retentionOf, type Retention } from "./retention.ts";

test.each<[string, Retention | null, Retention | null, Retention | null]>([
  ["neither says anything", null, null, null],
  ["both say nothing of any part", {}, {}, null],
  ["the tenant alone", null, { events: 3 }, { events: 3 }],
  ["the tool alone", { result: "none" }, null, { result: "none" }],
  ["the tool before the tenant", { events: 90 }, { events: "none" }, { events: 90 }],
  [
    "each part by itself",
    { arguments: "none" },
    { arguments: 5, result: 7 },
    { arguments: "none", result: 7 },
  ],
])("%s", (_, tool, tenant, said) => expect(retentionOf(tool, tenant)).toEqual(said));

test("nothing is kept where no part is", () => {
  expect(keepsNothing(NOTHING_KEPT)).toBe(true);
  expect(keepsNothing({ ...NOTHING_KEPT, events: 1 })).toBe(false);
  expect(keepsNothing({ arguments: "none", result: "none" })).toBe(false);
  expect(keepsNothing(null)).toBe(false);
});
