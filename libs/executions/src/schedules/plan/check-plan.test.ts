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

test.each([
  ["0 0 * mon *", "has mon as month, which is none (1 to 12, or jan to dec)"],
  ["0 0 * sat *", "has sat as month, which is none (1 to 12, or jan to dec)"],
  ["0 0 * * jan", "has jan as day of week, which is none (0 to 7, or sun to sat)"],
  ["0 0 * * feb,mar", "has feb as day of week, which is none (0 to 7, or sun to sat)"],
  ["0 mon * * *", "has mon as hour, which is none (0 to 23)"],
  ["0 0 * * janL", "has janL as day of week, which is none (0 to 7, or sun to sat)"],
  ["*-5 * * * *", "has *-5 as minute, which is none (0 to 59)"],
  ["*/90 * * * *", "has */90 as minute, whose step is not 1 to 60"],
  ["*/0 * * * *", "has */0 as minute, whose step is not 1 to 60"],
  ["0-10/61 * * * *", "has 0-10/61 as minute, whose step is not 1 to 60"],
  ["0 */25 * * *", "has */25 as hour, whose step is not 1 to 24"],
  ["0 22-4 * * *", "has 22-4 as hour, which runs backwards"],
  ["? * * * *", "has ? as minute, which is none (0 to 59)"],
  ["0 0 * ? *", "has ? as month, which is none (1 to 12, or jan to dec)"],
  ["0 0 ?/5 * *", "has ?/5 as day of month, which is none (1 to 31)"],
  ["0 0 15L * *", "has 15L as day of month, which is none (1 to 31)"],
  ["0 0 * * *#2", "has *#2 as day of week, which is none (0 to 7, or sun to sat)"],
  ["*,5 * * * *", "has * as minute, which is none (0 to 59)"],
  ["61 * * * * *", "has 61 as second, which is none (0 to 59)"],
  ["1,, * * * *", "has  as minute, which is none (0 to 59)"],
  ["0 0 30 2 *", "has no run within five years"],
])("of %j it is said that it %s", (cron, message) => {
  const refused = () => checkPlan({ cron }, now);
  expect(refused).toThrow(
    expect.objectContaining({ code: "request.invalid", errors: [{ path: "cron", message }] }),
  );
});

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
