import {
  CRON_CHARS_MAX,
  EXECUTION_STATUSES,
  EXECUTION_TIMEOUT_MS_DEFAULT,
  EXECUTION_TIMEOUT_MS_MAX,
  MISSED_RUNS,
  PRIORITY_DEFAULT,
  PRIORITY_MAX,
  SCHEDULE_EVERY_MS_MAX,
  SCHEDULE_EVERY_MS_MIN,
  SCHEDULE_ID,
  SCHEDULE_OVERLAPS,
  SCHEDULE_STATUSES,
  TIME_ZONE_CHARS_MAX,
} from "@bulkhead/core";
import { z } from "zod";
import { CallContext } from "./call-context.ts";
import { SCHEDULE_EXAMPLE } from "./examples.ts";
import {
  anyObject,
  clearable,
  displayedName,
  idOrName,
  pageCursor,
  pageLimit,
  text,
  timestamp,
} from "./fields.ts";

const name = displayedName(200).describe("A name for people; schedules are identified by their ids.");
const fields = {
  tool: idOrName.describe("An id, a name or an alias."),
  arguments: anyObject.describe(
    "At most 64 KiB as JSON; checked against the tool's schema. Kept as they are; each run fills in defaults if the tool or its tenant says so.",
  ),
  cron: text(CRON_CHARS_MAX)
    .optional()
    .describe("Five fields (minute, hour, day of month, month, day of week) or six (second first)."),
  timeZone: text(TIME_ZONE_CHARS_MAX)
    .optional()
    .describe("An IANA name such as `Europe/Zurich`, for `cron`; UTC when left out."),
  everyMs: z
    .int()
    .min(SCHEDULE_EVERY_MS_MIN)
    .max(SCHEDULE_EVERY_MS_MAX)
    .optional()
    .describe("Instead of `cron`: milliseconds between two runs."),
  priority: z
    .int()
    .min(0)
    .max(PRIORITY_MAX)
    .describe("Order among the tenant's own executions: 9 goes first."),
  timeoutMs: z
    .int()
    .min(1)
    .max(EXECUTION_TIMEOUT_MS_MAX)
    .describe("Milliseconds of each run, from its submission to its result, waiting included."),
  context: CallContext,
  missedRuns: z
    .enum(MISSED_RUNS)
    .describe("When runs were missed by more than a minute: `skip` them, or run `once` for all of them."),
  overlap: z
    .enum(SCHEDULE_OVERLAPS)
    .describe(
      "What a planned run does while an earlier run of the schedule has not ended: `allow` runs beside it, `skip` leaves the planned run out, `queue_one` runs when the earlier one has ended and leaves out what comes meanwhile, `cancel_previous` cancels the earlier one.",
    ),
};

export const CreateSchedule = z
  .strictObject({
    name: name.optional(),
    ...fields,
    arguments: fields.arguments.default({}),
    priority: fields.priority.default(PRIORITY_DEFAULT),
    timeoutMs: fields.timeoutMs
      .optional()
      .describe(
        `${fields.timeoutMs.description} When left out, what its tool's \`limits.wallMs\` lets it run when the schedule is made, ${EXECUTION_TIMEOUT_MS_DEFAULT} at least; another tool, or other limits of it, leave it as it is.`,
      ),
    context: fields.context.default({}),
    missedRuns: fields.missedRuns.default("skip"),
    overlap: fields.overlap
      .optional()
      .describe(
        `${fields.overlap.description} When left out, \`skip\` with \`everyMs\`, \`allow\` with \`cron\`.`,
      ),
  })
  .meta({ examples: [SCHEDULE_EXAMPLE] });

export const UpdateSchedule = z.strictObject({ name: clearable(name), ...fields }).partial();

export const Schedule = z
  .object({
    id: z.string(),
    name: z.string().optional(),
    status: z.enum(SCHEDULE_STATUSES),
    statusReason: z
      .string()
      .optional()
      .describe(
        "Why the platform paused it: its tool was deleted (it can be resumed with another one), or the API key by whose call a tool made it is gone.",
      ),
    toolId: z.string(),
    toolName: z.string().describe("The last one that the tool had, where it is gone."),
    arguments: anyObject,
    context: CallContext,
    priority: z.int(),
    timeoutMs: z.int(),
    cron: z.string().optional(),
    timeZone: z.string().optional(),
    everyMs: z.int().optional(),
    missedRuns: z.enum(MISSED_RUNS),
    overlap: z.enum(SCHEDULE_OVERLAPS),
    nextRuns: z.array(timestamp).describe("The next five; none while it is paused."),
    lastRunAt: timestamp.optional(),
    lastExecutionId: z.string().optional(),
    lastStatus: z
      .enum(EXECUTION_STATUSES)
      .optional()
      .describe("How that execution stands; absent where it is kept no more."),
    lastError: z
      .object({ code: z.string(), message: z.string(), at: timestamp })
      .optional()
      .describe(
        "Why the latest planned run came to no execution, until one does again. How executions end is theirs to tell.",
      ),
    skippedRuns: z.int().describe("Planned runs that were left out since an earlier run had not ended."),
    lastSkippedAt: timestamp.optional().describe("The planned time of the latest of them."),
    waitingSince: timestamp
      .optional()
      .describe("With `queue_one`: the planned time of the run that waits for an earlier one's end."),
    createdBy: z.string().describe("The id of the API key that made it, or by whose call a tool did."),
    madeByTool: z
      .string()
      .optional()
      .describe(
        "The tool whose run made it, by its id, or by its name where it comes with the platform: the schedule runs as the key of that call, under its agent's policy and approvals. Absent where a person made it.",
      ),
    madeByToolName: z.string().optional().describe("That tool's name at present; its id where it is gone."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Schedule" });

export const SchedulePage = z.object({ schedules: z.array(Schedule), nextCursor: z.string().nullable() });
export const ScheduleQuery = z.strictObject({
  limit: pageLimit,
  cursor: pageCursor(SCHEDULE_ID),
});
