import { EXECUTION_STATUSES, USAGE_DAYS_MAX, USAGE_GROUPS, type UsageGroup } from "@bulkhead/core";
import { z } from "zod";
import { idOrName, NO_CURSOR, pageCursor, timestamp, wholeNumber } from "./fields.ts";

const count = z.int();

const sums = {
  executions: count,
  byStatus: z
    .partialRecord(z.enum(EXECUTION_STATUSES), count)
    .describe("How they ended, or where they are; a status that is not there has none."),
  attempts: count.describe("Tries that a worker began."),
  cpuMs: z
    .number()
    .describe("Processor time of the code, tries before the last included, as in all that follows."),
  wallMs: z.number().describe("Time of the runs, waiting for answers and called tools included."),
  workerMs: z
    .number()
    .describe(
      "For how long slots of workers were taken. A tool that another one calls runs in its caller's slot.",
    ),
  memoryPeakMib: z.number().describe("The highest of all runs."),
  networkRequests: count,
  bytesIn: count.describe("Bytes of responses' bodies, decompressed."),
  bytesOut: count.describe("Bytes of requests' bodies."),
};

const UsageRow = z
  .object({
    day: z.iso.date().optional().describe("The day of acceptance, in UTC. Present if days are grouped."),
    toolId: z
      .string()
      .nullable()
      .optional()
      .describe("Present if tools are grouped; null for dry runs, scripts of `run_code` and built-in tools."),
    toolName: z.string().nullable().optional().describe("The tool's latest name in the period."),
    ...sums,
  })
  .meta({ id: "UsageRow" });

export const Usage = z
  .object({
    from: timestamp,
    to: timestamp,
    groupBy: z.array(z.enum(USAGE_GROUPS)),
    total: z.object(sums).describe("The sum of the whole period, on every page."),
    usage: z.array(UsageRow).describe("Ordered by day, then by the tool's id."),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "Usage", description: "What executions used, by day and tool." });

const GROUPS = ["day,tool", ...USAGE_GROUPS] as const;
const GROUPED: Readonly<Record<(typeof GROUPS)[number], readonly UsageGroup[]>> = {
  "day,tool": ["day", "tool"],
  day: ["day"],
  tool: ["tool"],
};
export const usageGroupsOf = (groupBy: (typeof GROUPS)[number]): readonly UsageGroup[] => GROUPED[groupBy];

const ROWS_MAX = 1_000;

/** Ids have room for these moments, and PostgreSQL knows them. */
const moment = timestamp.refine((value) => {
  const year = new Date(value).getUTCFullYear();
  // An invalid moment is reported by the rule above alone.
  return !(year < 1970 || year > 9999);
}, "must be in the years 1970 to 9999");

const isDayOrNone = (day = ""): boolean => day === "" || z.iso.date().safeParse(day).success;

/** The end of a page, as `<day>~<tool's id>`; a part that does not apply is empty. */
const MARK = /^(\d{4}-\d\d-\d\d)?~(tool_[0-9a-f]{16})?$/;

export const UsageQuery = z.strictObject({
  from: moment
    .optional()
    .describe(
      "Executions accepted from this moment on. Left out: the start of the UTC day six days before `to`.",
    ),
  to: moment
    .optional()
    .describe(`Executions accepted before this moment, at most ${USAGE_DAYS_MAX} days later. Left out: now.`),
  groupBy: z.enum(GROUPS).default("day,tool").describe("The grouping of rows."),
  tool: idOrName.optional().describe("Only those of this tool, by its id or name."),
  limit: wholeNumber(1, ROWS_MAX).default(200).describe("How many rows the page holds at most."),
  cursor: pageCursor(MARK).refine((cursor) => isDayOrNone(cursor?.split("~")[0]), NO_CURSOR),
});
