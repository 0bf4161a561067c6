import { CronExpressionParser } from "cron-parser";
import { CRON_FIELDS, troubleOf, forLibrary, type CronField } from "./cron-field.ts";

/** A cron pattern as a clock on a wall reads it: every time in and out is a local one, written as if it were UTC. */
export interface CronPattern {
  /** The first matching time behind `wallMs`; null where there is none in the years that are looked at. */
  nextWallMs(wallMs: number): number | null;
  /** Whether it goes by the hours that pass (`*` in the hours), rather than names times of the day. */
  hourly: boolean;
}

/** The fault of a pattern in words for its author, as in "has …"; null where there is none. */
export function cronTrouble(cron: string): string | null {
  const fields = fieldsOf(cron);
  if (fields.length !== CRON_FIELDS.length && fields.length !== CRON_FIELDS.length - 1) {
    return `must have 5 fields (minute, hour, day of month, month, day of week) or 6 (second first), not ${fields.length}`;
  }
  const troubles = inFields(fields, troubleOf);
  return troubles.find((trouble) => trouble !== null) ?? null;
}

const fieldsOf = (cron: string): string[] => cron.trim().split(/\s+/);

/** Applies `of` to each field; the second may be left out. */
const inFields = <T>(fields: string[], of: (field: CronField, text: string) => T): T[] =>
  CRON_FIELDS.slice(-fields.length).map((field, place) => of(field, fields[place] ?? ""));

/** Throws where the library can't read it: of what has no `cronTrouble`, a day that its month never has. */
export function readCronPattern(cron: string): CronPattern {
  const fields = fieldsOf(cron);
  const text = inFields(fields, forLibrary).join(" ");
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
const parse = (cron: string, wallMs: number) =>
  CronExpressionParser.parse(cron, { tz: "UTC", currentDate: new Date(wallMs) });
