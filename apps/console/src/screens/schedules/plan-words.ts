import type { Schedule } from "@bulkhead/client";
import { duration } from "../../format/numbers.ts";
import { cronWords } from "./cron-words.ts";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** How often that is: "every hour", "every 1 min 30 s". */
export function everyWords(ms: number): string {
  const [unit, size] = UNITS.find(([, one]) => ms % one === 0) ?? [null, 1];
  if (unit === null) return `every ${duration(ms)}`;
  const many = ms / size;
  if (unit === "second" && many > 60) return `every ${duration(ms)}`;
  return many === 1 ? `every ${unit}` : `every ${many} ${unit}s`;
}

/** When a schedule runs, as people say it; a pattern that has no short words stands for itself. */
export function planWords({
  cron,
  timeZone,
  everyMs,
}: Pick<Schedule, "cron" | "timeZone" | "everyMs">): string {
  if (everyMs !== undefined) return everyWords(everyMs);
  const words = cronWords(cron ?? "") ?? cron ?? "";
  return timeZone === undefined ? words : `${words} ${timeZone}`;
}

/** What a planned run does while an earlier one has not ended. */
export const OVERLAPS: Readonly<Record<Schedule["overlap"], string>> = {
  allow: "runs beside it",
  skip: "is left out",
  queue_one: "waits for its end",
  cancel_previous: "cancels it",
};

/** What happens to runs that were missed by more than a minute. */
export const MISSED: Readonly<Record<Schedule["missedRuns"], string>> = {
  skip: "are passed over",
  once: "are made up for by one",
};
