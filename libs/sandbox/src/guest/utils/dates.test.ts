import { beforeEach, describe, expect, it, vi } from "vitest";
import { dateAdd, dateDiff, formatDate, now, timestamp } from "./dates.ts";

const NOW = Date.parse("2026-03-29T01:30:00.500Z");
// Replaces the clock before the guest takes it for its own, and again for each test, since fakes are undone after each.
vi.hoisted(() => vi.useFakeTimers());
beforeEach(() => void vi.setSystemTime(NOW));
const given = (value: unknown): never => value as never;

it("now and timestamp are the same moment", () => {
  expect([now(), timestamp()]).toEqual(["2026-03-29T01:30:00.500Z", 1_774_747_800_500]);
});

describe("a date", () => {
  it.each([
    ["a day, which starts in UTC", "2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["a month", "2026-02", "2026-02-01T00:00:00.000Z"],
    ["a year", "2026", "2026-01-01T00:00:00.000Z"],
    ["a time without a zone, which is UTC", "2026-01-31T12:30", "2026-01-31T12:30:00.000Z"],
    ["a time with a blank and small letters", "2026-01-31 12:30:05z", "2026-01-31T12:30:05.000Z"],
    ["a fraction of a second", "2026-01-31T12:30:05.29Z", "2026-01-31T12:30:05.290Z"],
    ["more digits than a Date keeps", "2026-01-31T12:30:05,123456789Z", "2026-01-31T12:30:05.123Z"],
    ["a zone ahead", "2026-01-31T00:30:00+01:00", "2026-01-30T23:30:00.000Z"],
    ["a zone behind", "2026-01-31T00:30:00-0330", "2026-01-31T04:00:00.000Z"],
    ["a zone of hours", "2026-01-31T00:30:00+02", "2026-01-30T22:30:00.000Z"],
    ["a year before the first century", "0033-04-03", "0033-04-03T00:00:00.000Z"],
    ["a six-digit year", "-000044-03-15", "-000044-03-15T00:00:00.000Z"],
    ["white space around it", " 2026-01-31\n", "2026-01-31T00:00:00.000Z"],
    ["milliseconds since 1970", 86_400_000, "1970-01-02T00:00:00.000Z"],
    ["a Date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["now", "now", "2026-03-29T01:30:00.500Z"],
  ])("may be %s", (_, date, expected) => {
    expect(dateAdd(given(date), 0)).toBe(expected);
  });

  it.each([
    ["words", "tomorrow"],
    ["nothing", ""],
    ["a day that no month has", "2026-02-30"],
    ["February 29 of a common year", "2026-02-29"],
    ["a thirteenth month", "2026-13-01"],
    ["hour 24", "2026-01-01T24:00:00Z"],
    ["minute 60", "2026-01-01T00:60:00Z"],
    ["a zone beyond a day", "2026-01-01T00:00:00+25:00"],
    ["digits alone", "20260101"],
    ["a date of mail", "Sat, 31 Jan 2026 12:00:00 GMT"],
    ["NaN", Number.NaN],
    ["an invalid Date", new Date(Number.NaN)],
  ])("can't be %s, and the argument is named", (_, date) => {
    expect(() => dateDiff(given(date), "2026-01-01")).toThrow("utils.dateDiff: date1 is not a date");
    expect(() => dateDiff("2026-01-01", given(date))).toThrow("utils.dateDiff: date2 is not a date");
  });

  it.each([null, undefined, true, [], {}, 1n])("can't be %s", (date) => {
    expect(() => formatDate(given(date))).toThrow("utils.formatDate: date must be an ISO 8601 date");
  });

  it.each([8.65e15, -Infinity])("can't be the number %d", (date) => {
    expect(() => formatDate(given(date))).toThrow("utils.formatDate: date is outside of the range of dates");
  });
});

describe("dateDiff", () => {
  it.each([
    ["2026-01-01", "2026-01-31", undefined, 30],
    ["2026-01-01", "2026-01-02T12:00:00Z", "days", 1.5],
    ["2026-01-31", "2026-01-01", "days", -30],
    ["2026-01-01", "2026-01-15", "weeks", 2],
    ["2026-01-01", "2026-01-02", "hours", 24],
    ["2026-01-01", "2026-01-01T01:00:00Z", "minutes", 60],
    ["2026-01-01", "2026-01-01T00:00:00.500Z", "seconds", 0.5],
    ["2026-01-01", "2026-01-02", "day", 1],
    // The night when clocks change has its full hours: everything is UTC.
    ["2026-03-28", "2026-03-29T23:00:00Z", "hours", 47],
  ])("from %s to %s in %s is %d", (date1, date2, unit, expected) => {
    expect(dateDiff(date1, date2, unit)).toBe(expected);
  });

  it.each(["months", "years", "", "toString", "milliseconds"])("has no unit %j", (unit) => {
    expect(() => dateDiff("2026", "2027", unit)).toThrow(
      "utils.dateDiff: unit must be one of seconds, minutes, hours, days, weeks",
    );
  });
});

describe("dateAdd", () => {
  it.each([
    ["2026-01-31", 1, undefined, "2026-02-01T00:00:00.000Z"],
    ["2026-01-31", 30, "seconds", "2026-01-31T00:00:30.000Z"],
    ["2026-01-31", 90, "minutes", "2026-01-31T01:30:00.000Z"],
    ["2026-01-31", -1, "hours", "2026-01-30T23:00:00.000Z"],
    ["2026-01-31", 0.5, "days", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31", 2, "weeks", "2026-02-14T00:00:00.000Z"],
    ["2026-01-31", 1, "months", "2026-02-28T00:00:00.000Z"],
    ["2024-01-31T10:20:30Z", 1, "month", "2024-02-29T10:20:30.000Z"],
    ["2026-03-31", -1, "months", "2026-02-28T00:00:00.000Z"],
    ["2026-12-15", 1, "months", "2027-01-15T00:00:00.000Z"],
    ["2026-01-15", -13, "months", "2024-12-15T00:00:00.000Z"],
    ["2024-02-29", 1, "years", "2025-02-28T00:00:00.000Z"],
    ["2024-02-29", 4, "years", "2028-02-29T00:00:00.000Z"],
    ["now", 1, "hours", "2026-03-29T02:30:00.500Z"],
  ])("%s and %d %s is %s", (date, amount, unit, expected) => {
    expect(dateAdd(date, amount, unit)).toBe(expected);
  });

  it.each([
    [1.5, "months", "utils.dateAdd: amount must be a whole number"],
    [Infinity, "days", "utils.dateAdd: the result is outside of the range of dates"],
    [300_000, "years", "utils.dateAdd: the result is outside of the range of dates"],
    ["1", "days", "utils.dateAdd: amount must be a number"],
    [undefined, "days", "utils.dateAdd: amount must be a number"],
  ])("refuses to add %s %s", (amount, unit, message) => {
    expect(() => dateAdd("2026-01-01", given(amount), unit)).toThrow(message);
  });
});

describe("formatDate", () => {
  it.each([
    ["2026-01-31", undefined, "Saturday, January 31, 2026"],
    ["2026-01-31T23:59:59Z", "en-US", "Saturday, January 31, 2026"],
    ["2026-01-31T23:30:00-02:00", "en-US", "Sunday, February 1, 2026"],
    ["2026-01-31", "de", "Samstag, 31. Januar 2026"],
    ["2026-01-31", "xx", "Saturday, January 31, 2026"],
  ])("of %s in %s is %s, whatever the machine's zone", (date, locale, expected) => {
    expect(formatDate(date, locale)).toBe(expected);
  });

  it.each(["", "not a locale", "en_US!"])("refuses the locale %j", (locale) => {
    expect(() => formatDate("2026-01-31", locale)).toThrow("utils.formatDate: locale must be a language tag");
  });
});
