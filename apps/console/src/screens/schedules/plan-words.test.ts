import { expect, test } from "vitest";
import { everyWords, planWords } from "./plan-words.ts";

test.each([
  [1_000, "every second"],
  [30_000, "every 30 seconds"],
  [60_000, "every minute"],
  [90_000, "every 1 min 30 s"],
  [7_200_000, "every 2 hours"],
  [86_400_000, "every day"],
  [1_500, "every 1.5 s"],
])("%d milliseconds are said as %s", (ms, words) => expect(everyWords(ms)).toBe(words));

test("a plan names its zone, and a pattern without words stands for itself", () => {
  expect(planWords({ cron: "0 9 * * 1-5", timeZone: "Europe/Berlin" })).toBe(
    "every weekday at 09:00 Europe/Berlin",
  );
  expect(planWords({ cron: "*/7 * * * *", timeZone: "UTC" })).toBe("*/7 * * * * UTC");
  expect(planWords({ everyMs: 60_000 })).toBe("every minute");
});
