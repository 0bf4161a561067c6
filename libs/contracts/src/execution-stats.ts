import {
  EXECUTION_STATUSES,
  STATS_BUCKETS_MAX,
  STATS_BUCKET_MS,
  STATS_ERROR_MAX,
  STATS_GROUPS,
  STATS_GROUPS_MAX,
  type StatsBucketSize,
} from "@bulkhead/core";
import { z } from "zod";
import { checkRanges, executionFilters } from "./execution-lists.ts";
import { moment, timestamp } from "./fields.ts";

const BUCKETS = Object.keys(STATS_BUCKET_MS) as [StatsBucketSize, ...StatsBucketSize[]];

const percentile = z
  .number()
  .nullable()
  .describe(
    `Milliseconds, exact below 50, else to within ${STATS_ERROR_MAX * 100} %. Null where none has ended.`,
  );

const StatsBucket = z
  .object({
    at: timestamp.describe("When the bucket begins, in UTC; `from` and `to` may cut the first and the last."),
    group: z
      .object({
        key: z
          .string()
          .nullable()
          .describe(
            `The status, the source, or the tool's id (of a dry run, a script and a built-in tool its name). Null: all but the ${STATS_GROUPS_MAX} groups with the most executions of the period, added up.`,
          ),
        name: z.string().optional().describe("The tool's name."),
      })
      .optional()
      .describe("Present with `groupBy`: each group of the bucket is an entry of its own."),
    counts: z
      .partialRecord(z.enum(EXECUTION_STATUSES), z.int())
      .describe("How they ended, or where they are; a status that is not there has none."),
    p50Ms: percentile,
    p95Ms: percentile,
    p99Ms: percentile,
  })
  .meta({ id: "StatsBucket" });

export const ExecutionStats = z.object({
  from: timestamp,
  to: timestamp,
  bucket: z.enum(BUCKETS),
  groupBy: z.enum(STATS_GROUPS).nullable(),
  buckets: z
    .array(StatsBucket)
    .describe(
      "In the order of time, then of the groups' keys. A bucket in which nothing was accepted is left out.",
    ),
});

export const ExecutionStatsQuery = z
  .strictObject({
    ...executionFilters,
    from: moment
      .optional()
      .describe("Executions accepted at this moment or later. Left out: 24 buckets before `to`."),
    to: moment.optional().describe("Executions accepted before this moment. Left out: now."),
    bucket: z
      .enum(BUCKETS)
      .default("hour")
      .describe(`The length of a bucket; ${STATS_BUCKETS_MAX} at most lie between \`from\` and \`to\`.`),
    groupBy: z.enum(STATS_GROUPS).optional().describe("Each bucket is told group by group."),
  })
  .superRefine(checkRanges);
