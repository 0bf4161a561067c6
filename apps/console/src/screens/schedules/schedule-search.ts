import type { Schedule } from "@bulkhead/client";
import { chosen, oneOf, wordsIn } from "../../format/address.ts";

/** What of the screen stands in its address. */
export interface ScheduleSearch {
  q?: string;
  status?: Schedule["status"];
  /** The schedule that is open. */
  open?: string;
}

export const STATUSES = ["active", "paused"] as const;
export const WORDS_CHARS_MAX = 100;
const ID_CHARS_MAX = 100;

export const readScheduleSearch = (raw: Record<string, unknown>): ScheduleSearch =>
  chosen<ScheduleSearch>({
    q: wordsIn(raw["q"], WORDS_CHARS_MAX),
    status: oneOf(STATUSES, raw["status"]),
    open: wordsIn(raw["open"], ID_CHARS_MAX),
  });

/** The schedules that have all of the words in their name, tool or plan. */
export function matching(schedules: readonly Schedule[], { q = "", status }: ScheduleSearch): Schedule[] {
  const words = q.toLowerCase().split(/\s+/);
  return schedules.filter((schedule) => {
    const { name = "", toolName, cron = "", timeZone = "" } = schedule;
    const text = [name, toolName, cron, timeZone].join("\n").toLowerCase();
    return words.every((word) => text.includes(word)) && (status ?? schedule.status) === schedule.status;
  });
}
