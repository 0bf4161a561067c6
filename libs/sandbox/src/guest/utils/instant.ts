import { DateCtor, dateNow } from "../primordials.ts";
import { outOfRange, wrongKind } from "./arguments.ts";

const EPOCH_MS_MAX = 8_640_000_000_000_000;
const YEAR_TO_DAY = String.raw`([+-]\d{6}|\d{4})(?:-(\d\d)(?:-(\d\d))?)?`;
const TIME = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?`;
const ZONE = String.raw`(?:Z|([+-])(\d\d)(?::?(\d\d))?)`;
const ISO = new RegExp(`^${YEAR_TO_DAY}(?:[T ]${TIME} ?${ZONE}?)?$`, "i");

/**
 * Milliseconds since 1970 of a date: ISO 8601 (UTC if it names no zone, on any machine), `"now"`, a number of
 * milliseconds, or a Date. The error names the argument.
 */
export function takeInstant(fn: string, name: string, value: unknown): number {
  if (value instanceof DateCtor) return checked(fn, name, value.getTime());
  if (typeof value === "number") return checked(fn, name, value);
  if (typeof value !== "string") throw wrongKind(fn, `${name} must be an ISO 8601 date`);
  if (value === "now") return dateNow();
  return checked(fn, name, readIso(value.trim()));
}

function checked(fn: string, name: string, ms: number): number {
  if (Number.isNaN(ms)) throw wrongKind(fn, `${name} is not a date (ISO 8601, as 2026-01-31T12:00:00Z)`);
  if (Math.abs(ms) > EPOCH_MS_MAX) throw outOfRange(fn, `${name} is outside of the range of dates`);
  return Math.trunc(ms);
}

/** NaN for an invalid date: 30 February, hour 24 and month 13 included. */
function readIso(text: string): number {
  const match = ISO.exec(text);
  if (match === null) return Number.NaN;
  const at = (index: number, missing: number): number =>
    match[index] === undefined ? missing : Number(match[index]);
  const [year, month, day] = [at(1, 0), at(2, 1), at(3, 1)];
  const [hour, minute, second] = [at(4, 0), at(5, 0), at(6, 0)];
  if (hour > 23 || minute > 59 || second > 59 || at(9, 0) > 23 || at(10, 0) > 59) return Number.NaN;
  const date = new DateCtor(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return Number.NaN;
  date.setUTCHours(hour, minute, second, Number((match[7] ?? "").padEnd(3, "0").slice(0, 3)));
  const ahead = (at(9, 0) * 60 + at(10, 0)) * 60_000;
  return date.getTime() - (match[8] === "-" ? -ahead : ahead);
}
