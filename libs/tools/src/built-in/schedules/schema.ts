import {
  CRON_CHARS_MAX,
  EXECUTION_TIMEOUT_MS_MAX,
  MISSED_RUNS,
  PRIORITY_MAX,
  SCHEDULE_EVERY_MS_MAX,
  SCHEDULE_EVERY_MS_MIN,
  SCHEDULE_OVERLAPS,
  TIME_ZONE_CHARS_MAX,
  type JsonObject,
} from "@bulkhead/core";
import { SCHEDULE_ID_CHARS_MAX } from "./bounds.ts";
import { CRON_ACTIONS } from "./run.ts";

const text = (minLength: number, maxLength: number, description: string): JsonObject => ({
  type: "string",
  minLength,
  maxLength,
  description,
});
const whole = (minimum: number, maximum: number, description: string): JsonObject => ({
  type: "integer",
  minimum,
  maximum,
  description,
});

/** The arguments of `cron`. A person who is asked about a call sees them as they are here. */
export const CRON_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    action: {
      type: "string",
      enum: [...CRON_ACTIONS],
      description: "What to do; which other arguments it takes stands with each.",
    },
    id: text(1, SCHEDULE_ID_CHARS_MAX, "The schedule's id. For update, remove, pause and resume (needed)."),
    tool: text(
      1,
      64,
      "The name of the tool that runs, one that you may call. For create (needed) and update.",
    ),
    arguments: { type: "object", description: "What it is called with. For create and update." },
    cron: text(
      1,
      CRON_CHARS_MAX,
      "Five fields (minute, hour, day of month, month, day of week) or six (second first), such as `0 9 * * 1-5`. For create and update; either this or everyMs.",
    ),
    timeZone: text(
      1,
      TIME_ZONE_CHARS_MAX,
      "An IANA name such as `Europe/Zurich`, for cron; UTC when left out.",
    ),
    everyMs: whole(
      SCHEDULE_EVERY_MS_MIN,
      SCHEDULE_EVERY_MS_MAX,
      "Milliseconds between two runs. For create and update; either this or cron.",
    ),
    name: text(1, 200, "A name for people. For create and update."),
    missedRuns: {
      type: "string",
      enum: [...MISSED_RUNS],
      description:
        "Runs that were missed by more than a minute: none of them, or one for all. For create and update.",
    },
    overlap: {
      type: "string",
      enum: [...SCHEDULE_OVERLAPS],
      description: "What a planned run does while an earlier one has not ended. For create and update.",
    },
    priority: whole(0, PRIORITY_MAX, "9 goes first. For create and update."),
    timeoutMs: whole(
      1,
      EXECUTION_TIMEOUT_MS_MAX,
      "Milliseconds that each run may take. For create and update.",
    ),
  },
  required: ["action"],
  additionalProperties: false,
};
