import { outOfRange, takeInteger, takeName, takeNumber, takeText, wrongKind } from "./arguments.ts";
import { DateCtor, dateIso, dateNow, isNaNumber } from "../primordials.ts";
import { takeInstant } from "./instant.ts";

const MS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000, weeks: 604_800_000 };
const FIXED_UNITS = ["seconds", "minutes", "hours", "days", "weeks"] as const;
const UNITS = [...FIXED_UNITS, "months", "years"] as const;
const MONTHS_MAX = 12_000_000;

/** The current time, as `2026-01-31T12:00:00.000Z`. */
export const now = (): string => dateIso(new DateCtor(dateNow()));

/** Milliseconds since 1970. */
export const timestamp = (): number => dateNow();

/** How long after `date1` `date2` is, negative where it is earlier; a fraction where the unit doesn't divide it. */
export function dateDiff(date1: string, date2: string, unit = "days"): number {
  const from = takeInstant("dateDiff", "date1", date1);
  const to = takeInstant("dateDiff", "date2", date2);
  return (to - from) / MS[takeName("dateDiff", "unit", plural(unit), FIXED_UNITS)];
}

/**
 * The date moved by an amount, as ISO 8601 in UTC. Months and years are the calendar's, take whole amounts, and
 * end at the month's last day where the day doesn't exist: January 31 and a month is February 28 or 29.
 */
export function dateAdd(date: string, amount: number, unit = "days"): string {
  const from = takeInstant("dateAdd", "date", date);
  const name = takeName("dateAdd", "unit", plural(unit), UNITS);
  const to =
    name === "months" || name === "years"
      ? addMonths(
          from,
          takeInteger("dateAdd", "amount", amount, -MONTHS_MAX, MONTHS_MAX) * (name === "years" ? 12 : 1),
        )
      : from + takeNumber("dateAdd", "amount", amount) * MS[name];
  const result = new DateCtor(to);
  if (isNaNumber(result.getTime()))
    throw outOfRange("dateAdd", "the result is outside of the range of dates");
  return dateIso(result);
}

function addMonths(from: number, months: number): number {
  const date = new DateCtor(from);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new DateCtor(date);
  lastDay.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.setUTCDate(Math.min(day, lastDay.getUTCDate()));
}

const plural = (unit: unknown): unknown =>
  typeof unit === "string" && unit !== "" && !/s$/i.test(unit) ? `${unit}s` : unit;

let formatter: { locale: string; format: Intl.DateTimeFormat } | null = null;

/** The day in words, as `Thursday, January 1, 1970`, always the day in UTC; a locale nobody has data for is en-US. */
export function formatDate(date: string, locale = "en-US"): string {
  const at = takeInstant("formatDate", "date", date);
  const wanted = takeText("formatDate", "locale", locale);
  // One formatter is kept: they are large, and outside of the limited heap.
  if (formatter?.locale !== wanted) formatter = { locale: wanted, format: formatterFor(wanted) };
  return formatter.format.format(at);
}

function formatterFor(locale: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat([locale, "en-US"], { dateStyle: "full", timeZone: "UTC" });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw wrongKind("formatDate", "locale must be a language tag like en-US or de");
  }
}
