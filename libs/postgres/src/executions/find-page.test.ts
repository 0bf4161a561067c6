import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mergeBranches, pathOf } from "./find-page.ts";

const idOf = (n: number): string => `exe_${n.toString(16).padStart(32, "0")}`;

interface Row {
  n: number;
  branch: string;
  isWanted: boolean;
}

/** What the statement answers: of each branch its newest wanted ones, and where it stopped if that is not all. */
function branchesOf(rows: Row[], before: string | undefined, limit: number, scannedMax: number) {
  const behind = rows
    .filter(({ n }) => before === undefined || idOf(n) < before)
    .toSorted((a, b) => b.n - a.n);
  return [...Map.groupBy(behind, ({ branch }) => branch)].flatMap(([branch, all]) => {
    const looked = all.slice(0, scannedMax);
    const told = looked.map(({ n, isWanted }, at) => ({
      branch,
      id: idOf(n),
      isWanted,
      isEnd: at === scannedMax - 1,
    }));
    return told.filter(({ isWanted, isEnd }) => isWanted || isEnd).slice(0, limit + 1);
  });
}

const rowsOf = fc.uniqueArray(
  fc.record({ n: fc.nat(1_000), branch: fc.constantFrom("a", "b", "c"), isWanted: fc.boolean() }),
  { selector: ({ n }) => n, maxLength: 60 },
);

test("pages of several branches have each wanted one once, newest first, whatever a page may look at", () => {
  const bounds = { limit: fc.integer({ min: 1, max: 5 }), scannedMax: fc.integer({ min: 1, max: 7 }) };
  fc.assert(
    fc.property(rowsOf, fc.record(bounds), (rows, { limit, scannedMax }) => {
      const seen: string[] = [];
      let before: string | undefined;
      for (;;) {
        const page = mergeBranches(branchesOf(rows, before, limit, scannedMax), limit, scannedMax);
        expect(page.ids.length).toBeLessThanOrEqual(limit);
        expect(page.scanned !== null).toBe(page.next !== null && page.ids.length < limit);
        seen.push(...page.ids);
        if (page.next === null) break;
        expect(before === undefined || page.next < before).toBe(true);
        before = page.next;
      }
      const wanted = rows.filter(({ isWanted }) => isWanted).toSorted((a, b) => b.n - a.n);
      expect(seen).toEqual(wanted.map(({ n }) => idOf(n)));
    }),
  );
});

test("a page goes along the index that leaves fewest, status by status where that comes before the id", () => {
  expect(pathOf({})).toEqual({ by: null, statuses: null });
  expect(pathOf({ source: "mcp", requestedBy: "key_1" })).toEqual({ by: null, statuses: null });
  expect(pathOf({ statuses: ["lost"], source: "mcp" })).toEqual({ by: "statuses", statuses: ["lost"] });
  expect(pathOf({ toolId: "t", statuses: ["failed", "lost"] })).toMatchObject({
    by: "toolId",
    statuses: ["failed", "lost"],
  });
  expect(pathOf({ agentId: "a" }).statuses).toHaveLength(9);
  expect(pathOf({ agentId: "a", errorCode: "tool.threw" })).toEqual({ by: "errorCode", statuses: null });
});
