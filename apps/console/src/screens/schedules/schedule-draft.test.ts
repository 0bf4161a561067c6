import type { Schedule } from "@bulkhead/client";
import { expect, test } from "vitest";
import { bodyOf, draftOf, newDraft, zonesWith } from "./schedule-draft.ts";

const DRAFT = { ...newDraft("Europe/Berlin"), tool: "tool_1", toolName: "report" };
const SCHEDULE = {
  id: "sch_1",
  name: "Morning",
  toolId: "tool_1",
  toolName: "report",
  arguments: { day: 1 },
  cron: "0 9 * * *",
  timeZone: "UTC",
  missedRuns: "once",
  overlap: "skip",
} as unknown as Schedule;

test("a new schedule has its plan and its arguments", () => {
  expect(bodyOf({ ...DRAFT, args: '{"a": 1}', name: " Morning " }, undefined)).toEqual({
    body: {
      name: "Morning",
      tool: "tool_1",
      arguments: { a: 1 },
      cron: "0 9 * * 1-5",
      timeZone: "Europe/Berlin",
      missedRuns: "skip",
      overlap: "allow",
    },
  });
  expect(bodyOf({ ...DRAFT, kind: "every", every: "1.5", unit: "hours" }, undefined)).toMatchObject({
    body: { everyMs: 5_400_000 },
  });
});

test("a plan that nobody touched is not sent, since it would count anew; a name that was emptied goes", () => {
  const draft = draftOf(SCHEDULE, "Europe/Berlin");
  expect(bodyOf(draft, SCHEDULE)).toEqual({
    body: { name: "Morning", tool: "tool_1", arguments: { day: 1 }, missedRuns: "once", overlap: "skip" },
  });
  expect(bodyOf({ ...draft, name: "" }, SCHEDULE)).toMatchObject({ body: { name: null } });
  expect(bodyOf({ ...draft, timeZone: "Asia/Tokyo" }, SCHEDULE)).toMatchObject({
    body: { cron: "0 9 * * *", timeZone: "Asia/Tokyo" },
  });
});

test("an interval is told in its longest whole unit", () => {
  expect(draftOf({ ...SCHEDULE, everyMs: 7_200_000 }, "UTC")).toMatchObject({
    kind: "every",
    every: "2",
    unit: "hours",
  });
});

test.each([
  ["no tool", { tool: "" }, "tool"],
  ["no number", { kind: "every", every: "x" }, "every"],
  ["too often", { kind: "every", every: "0.1", unit: "seconds" }, "every"],
  ["no JSON", { args: "{" }, "arguments"],
  ["a list", { args: "[]" }, "arguments"],
] as const)("%s is told before it is sent", (_what, more, field) => {
  expect(bodyOf({ ...DRAFT, ...more }, undefined)).toEqual({ faults: { [field]: expect.any(String) } });
});

test("the zone of the viewer and of the schedule can be chosen though the browser doesn't list them", () => {
  expect(zonesWith(["Asia/Tokyo"], ["Etc/GMT", "Asia/Tokyo"])).toEqual(["Asia/Tokyo", "Etc/GMT", "UTC"]);
});
