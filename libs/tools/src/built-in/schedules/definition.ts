import { SCHEDULES_PER_OWNER_MAX, type ProvidedTool, type ScheduleToolName } from "@bulkhead/core";
import { CRON_PARAMETERS } from "./schema.ts";

/** As models are told of it: what, when, and within what bounds. */
export const SCHEDULE_TOOLS: Readonly<Record<ScheduleToolName, ProvidedTool>> = {
  cron: {
    name: "cron",
    title: "Schedules",
    description:
      "Has a tool called again and again, by a cron pattern or every so many milliseconds, for the same agent and user: create, " +
      `list, update, remove, pause and resume your own schedules, ${SCHEDULES_PER_OWNER_MAX} at most. A run may do what you may do ` +
      "then; one that needs a person's word waits for it. Answers the schedule with its id, status, nextRuns and lastError; list { schedules }; " +
      "remove { removed }. What is secret in arguments is stored as [REDACTED], and the answer then has covered: true.",
    group: "automation",
    parameters: CRON_PARAMETERS,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    needs: "scheduling",
    letBy: "name",
    capability: "schedule",
  },
};
