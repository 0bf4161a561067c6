import type { UsageRow } from "@bulkhead/client";
import { expect, test } from "vitest";
import { beginOf, byCost, dayBars } from "./usage-days.ts";

const NOW = new Date("2026-11-26T23:30:00Z");
const row = (more: Partial<UsageRow>) => ({ executions: 1, byStatus: {}, workerMs: 0, ...more }) as UsageRow;

test("a period ends with today and begins with a whole day of UTC", () => {
  expect(beginOf({ days: 1 }, NOW).toISOString()).toBe("2026-11-26T00:00:00.000Z");
  expect(beginOf({ days: 7 }, NOW).toISOString()).toBe("2026-11-20T00:00:00.000Z");
});

test("each day has a bar, whether anything ran or not", () => {
  const rows = [row({ day: "2026-11-25", executions: 3, byStatus: { succeeded: 2, failed: 1 } })];
  const bars = dayBars(rows, { days: 7 }, NOW);
  expect(bars.map(({ total }) => total)).toEqual([0, 0, 0, 0, 0, 3, 0]);
  expect(bars[5]).toMatchObject({
    counts: { succeeded: 2, failed: 1 },
    from: Date.parse("2026-11-25T00:00:00Z"),
  });
});

test("the tool that took slots for longest stands first, then the one that was called most", () => {
  const rows = [
    row({ toolName: "a" }),
    row({ toolName: "b", workerMs: 9 }),
    row({ toolName: "c", executions: 5 }),
  ];
  expect(byCost(rows).map(({ toolName }) => toolName)).toEqual(["b", "c", "a"]);
});
