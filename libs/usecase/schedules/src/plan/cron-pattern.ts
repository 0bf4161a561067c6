import { CronExpressionParser } from "cron-parser";

/** A cron pattern as a clock on a wall reads it: every time in and out is a local one, written as if it were UTC. */
export interface CronPattern {
  /** The first matching time behind `wallMs`; null where there is none in the years that are looked at. */
  nextWallMs(wallMs: number): number | null;
  /** Whether it goes by the hours that pass (`*` in the hours), rather than names times of the day. */
  hourly: boolean;
}

/** Numbers, names of months and days, and `L`; not the library's `H`, which would be drawn anew each time. */
const FIELD =
  /^(?:[0-9*?,\-/#L]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)+$/i;
const FIELD_COUNTS = [5, 6];

/** Throws an Error whose message says what is wrong, as in "has 61 …". */
export function readCronPattern(cron: string): CronPattern {
  const fields = cron.trim().split(/\s+/);
  if (!FIELD_COUNTS.includes(fields.length)) {
    throw new Error(
      `must have 5 fields (minute, hour, day of month, month, day of week) or 6 (second first), not ${fields.length}`,
    );
  }
  const wrong = fields.find((field) => !FIELD.test(field));
  if (wrong !== undefined) throw new Error(`has a field that is no cron field: ${wrong}`);
  const text = fields.join(" ");
  parse(text, 0);
  return {
    nextWallMs: (wallMs) => {
      const expression = parse(text, wallMs);
      try {
        return expression.next().getTime();
      } catch {
        // The library gives up after its number of steps, which is some centuries of days.
        return null;
      }
    },
    hourly: fields.at(-4)?.includes("*") ?? false,
  };
}

// In UTC, where no clock is ever changed. The library's own handling of time zones keeps what it has seen of a change in
// the parsed pattern: a pattern parsed anew within the skipped hour runs at other times, and in Australia/Lord_Howe,
// where clocks move by half an hour, it finds no time at all.
function parse(cron: string, wallMs: number) {
  try {
    return CronExpressionParser.parse(cron, { tz: "UTC", currentDate: new Date(wallMs) });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`is no cron pattern: ${why.replace(/\.$/, "")}`, { cause });
  }
}
