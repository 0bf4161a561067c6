import type { CreateScheduleBody, Schedule, UpdateScheduleBody } from "@bulkhead/client";
import { jsonObjectIn } from "../../format/json-object.ts";

/** A schedule as it is written in its form. */
export interface ScheduleDraft {
  name: string;
  /** A tool's id or name; empty: none is chosen. */
  tool: string;
  toolName: string;
  kind: "cron" | "every";
  cron: string;
  timeZone: string;
  every: string;
  unit: Unit;
  /** JSON. */
  args: string;
  missedRuns: Schedule["missedRuns"];
  overlap: Schedule["overlap"];
}

const UNITS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
export type Unit = keyof typeof UNITS;
export const UNIT_NAMES = Object.keys(UNITS) as Unit[];

export const newDraft = (timeZone: string): ScheduleDraft => ({
  name: "",
  tool: "",
  toolName: "",
  kind: "cron",
  cron: "0 9 * * 1-5",
  timeZone,
  every: "15",
  unit: "minutes",
  args: "{}",
  missedRuns: "skip",
  overlap: "allow",
});

export function draftOf(schedule: Schedule, ownZone: string): ScheduleDraft {
  const { name = "", toolId, toolName, cron, timeZone, everyMs, missedRuns, overlap } = schedule;
  const ms = everyMs ?? UNITS.minutes * 15;
  const unit = UNIT_NAMES.findLast((one) => ms % UNITS[one] === 0) ?? "seconds";
  return {
    name,
    tool: toolId,
    toolName,
    kind: everyMs === undefined ? "cron" : "every",
    cron: cron ?? "0 9 * * 1-5",
    timeZone: timeZone ?? ownZone,
    every: String(ms / UNITS[unit]),
    unit,
    args: JSON.stringify(schedule.arguments, null, 2),
    missedRuns,
    overlap,
  };
}

/** What of a draft can't be sent, by the name of its field. */
export type DraftFaults = Partial<Record<"tool" | "every" | "arguments", string>>;

/** What a form asks the server for, or what stands against it. An absent schedule is made, another one changed. */
export function bodyOf(
  draft: ScheduleDraft,
  before: Schedule | undefined,
): { body: CreateScheduleBody & UpdateScheduleBody } | { faults: DraftFaults } {
  const args = jsonObjectIn(draft.args);
  const everyMs = Math.round(Number(draft.every) * UNITS[draft.unit]);
  const faults: DraftFaults = {
    ...(draft.tool === "" && { tool: "Choose the tool that runs." }),
    ...(draft.kind === "every" && !(everyMs >= UNITS.seconds) && { every: "One second at least." }),
    ...(typeof args === "string" && { arguments: args }),
  };
  if (typeof args === "string" || Object.keys(faults).length > 0) return { faults };
  const plan = draft.kind === "cron" ? { cron: draft.cron.trim(), timeZone: draft.timeZone } : { everyMs };
  const name = draft.name.trim();
  // A plan that is sent counts from now, even if it is the same: one that nobody touched stays out.
  const isSamePlan =
    before !== undefined &&
    (draft.kind === "cron"
      ? before.cron === draft.cron.trim() && before.timeZone === draft.timeZone
      : before.everyMs === everyMs);
  const { missedRuns, overlap } = draft;
  const rest = { tool: draft.tool, arguments: args, ...(!isSamePlan && plan), missedRuns, overlap };
  // What is made takes no null for a name.
  return {
    body: (name === ""
      ? before === undefined
        ? rest
        : { ...rest, name: null }
      : { ...rest, name }) as never,
  };
}

/** Every zone that the browser knows, the own one and UTC among them. */
export const zonesWith = (known: readonly string[], own: readonly string[]): string[] =>
  [...new Set(["UTC", ...own, ...known])].sort();
