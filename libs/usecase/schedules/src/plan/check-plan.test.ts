import { describe, expect, test } from "vitest";
import { checkPlan, type PlanRequest } from "./check-plan.ts";

const now = new Date("2026-05-05T05:05:05Z");
const pathsOf = (request: PlanRequest): string[] => {
  try {
    checkPlan(request, now);
    return [];
  } catch (error) {
    return (error as { errors: { path: string }[] }).errors.map(({ path }) => path);
  }
};

test.each(["*/5 * * * *", "*/2 * * * * *", "0 9 * * MON-FRI", "0 0 L * *", "0 0 29 feb ?", " 0  0 1 1 * "])(
  "%j is a cron pattern, in UTC unless said otherwise",
  (cron) => expect(checkPlan({ cron }, now)).toEqual({ type: "cron", cron: cron.trim(), timeZone: "UTC" }),
);

test.each([
  "",
  "@daily",
  "* * * *",
  "* * * * * * *",
  "61 * * * *",
  "H * * * *",
  "0 0 30 2 *",
  "a b c d e",
  "0 0 1 1 * 2030",
  "*/0 * * * *",
])("%j is refused as cron", (cron) => expect(pathsOf({ cron })).toEqual(["cron"]));

test.each(["Mars/Phobos", "+05:30", "", "UTC ", "Europe/Berlin\0"])(
  "%j is refused as timeZone",
  (timeZone) => {
    expect(pathsOf({ cron: "0 0 * * *", timeZone })).toEqual(["timeZone"]);
  },
);

describe("exactly one of cron and everyMs", () => {
  test("neither, or both, is refused", () => {
    expect(pathsOf({})).toEqual(["cron"]);
    expect(pathsOf({ cron: "0 0 * * *", everyMs: 1_000 })).toEqual(["cron"]);
  });
  test("a time zone says nothing about an interval", () => {
    expect(pathsOf({ everyMs: 1_000, timeZone: "UTC" })).toEqual(["timeZone"]);
    expect(checkPlan({ everyMs: 1_000 }, now)).toEqual({ type: "every", everyMs: 1_000, anchorAt: now });
  });
});
