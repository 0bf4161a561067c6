import { expect, test } from "vitest";
import { cronWords } from "./cron-words.ts";

test.each([
  ["* * * * *", "every minute"],
  ["*/5 * * * *", "every 5 minutes"],
  ["*/15 9-17 * * 1-5", "every 15 minutes from 09:00 to 17:45, every weekday"],
  ["0 * * * *", "every hour"],
  ["5 * * * *", "every hour at 5 minutes past"],
  ["0 */6 * * *", "every 6 hours"],
  ["30 8-10 * * *", "every hour from 08:30 to 10:30"],
  ["0 9 * * MON-FRI", "every weekday at 09:00"],
  ["0 9,13,17 * * *", "every day at 09:00, 13:00 and 17:00"],
  ["15 7 * * 0", "every Sunday at 07:15"],
  ["15 7 * * 7", "every Sunday at 07:15"],
  ["15 7 * * sun,wed", "every Wednesday and Sunday at 07:15"],
  ["0 0 * * 6,0", "every Saturday and Sunday at 00:00"],
  ["0 0 * * 0-6", "every day at 00:00"],
  ["0 6 1 * *", "on the 1st of every month at 06:00"],
  ["0 6 1,2,11,23 * ?", "on the 1st, 2nd, 11th and 23rd of every month at 06:00"],
  ["0 6 L * *", "on the last day of every month at 06:00"],
  ["0 6 * * 1#2", "on the second Monday of every month at 06:00"],
  ["0 6 * * FRIL", "on the last Friday of every month at 06:00"],
  ["0 0 25 dec *", "every year on 25 December at 00:00"],
  ["0 0 9 * * *", "every day at 09:00"],
  ["*/10 * * * * *", "every 10 seconds"],
])("%s is said as %s", (cron, words) => expect(cronWords(cron)).toBe(words));

test.each([
  // Not as far apart at the hour's end.
  "*/7 * * * *",
  "0 */5 * * *",
  "0,30 9 * * *",
  "30 0 9 * * *",
  "0 0 1 * 1",
  "0 0 1 1,7 *",
  "0 1,2,3,4,5 * * *",
  "0 25 * * *",
  "0 9-7 * * *",
  "0 0 0 * *",
  "0 0 * * 8",
  "0 0 1 foo *",
  "a b c d e",
  "* * *",
  "",
])("%j has no short words", (cron) => expect(cronWords(cron)).toBeNull());
