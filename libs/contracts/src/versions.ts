import { PERMISSIONS, TOOL_LANGUAGES, VERSION_STATES } from "@bulkhead/core";
import { z } from "zod";
import { anyObject, pageLimit, timestamp, wholeNumber } from "./fields.ts";
import { Limits } from "./run-limits.ts";
import { shownCommand } from "./tool-fields.ts";

/** The largest number that a version can have. */
const VERSION_MAX = 2_147_483_647;

/** A version's number in a path or a query. */
export const VersionNumber = wholeNumber(1, VERSION_MAX);

/** A version to run instead of the one that serves. */
export const PinnedVersion = z
  .int()
  .min(1)
  .max(VERSION_MAX)
  .optional()
  .describe(
    "Runs exactly this version of the tool, its schemas, permissions and limits; left out: the one that serves.",
  );

const summary = {
  version: z.int(),
  state: z
    .enum(VERSION_STATES)
    .describe(
      "Only an `approved` one runs, is pinned or restored; `superseded`: a newer one came before anybody decided.",
    ),
  reason: z.string().optional().describe("Why it was rejected, in the person's words."),
  serving: z.boolean().describe("Whether calls that name no version run this one."),
  contentHash: z
    .string()
    .describe("SHA-256, in hex, of all that affects a run: equal where two versions run alike."),
  language: z.enum(TOOL_LANGUAGES),
  permissions: z.array(z.enum(PERMISSIONS)),
  limits: Limits,
  allowedHosts: z.array(z.string()).optional().describe("Absent: any public host."),
  services: z.array(z.string()).describe("Names of the services whose configuration it may read."),
  createdAt: timestamp,
};

/** A version without its code and its schemas. */
const VersionSummary = z.object(summary).meta({ id: "ToolVersionSummary" });

export const Version = z
  .object({
    ...summary,
    code: z.string().describe("The source as it was written; empty where there is a `command`."),
    ...shownCommand,
    approvalCode: z.string().optional().describe("Says of an agent's call whether a person is asked."),
    parameters: anyObject,
    outputSchema: anyObject.optional(),
  })
  .meta({ id: "ToolVersion" });

export const VersionQuery = z.strictObject({
  limit: pageLimit,
  cursor: VersionNumber.optional().describe("The `nextCursor` of the page before."),
});

export const VersionPage = z.object({
  versions: z.array(VersionSummary),
  nextCursor: z.string().nullable(),
});

export const DiffQuery = z.strictObject({
  against: VersionNumber.optional().describe("The version to compare with; left out: the one before."),
});

export const VersionDiff = z
  .object({
    from: z.int().describe("`against`: the version of `before` and `-`."),
    to: z.int().describe("The version in the path: that of `after` and `+`."),
    identical: z.boolean().describe("Both run alike."),
    changes: z
      .array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() }))
      .describe("Each field but the code in which they differ; limits one by one (`limits.cpuMs`)."),
    code: z
      .object({
        unified: z.string().describe("Hunks of the unified format, three lines of context."),
        added: z.int(),
        removed: z.int(),
        exact: z
          .boolean()
          .describe("False where they differ in so much that it is not compared line by line."),
      })
      .optional(),
  })
  .meta({ id: "ToolVersionDiff" });

/** The value of the header `If-Match`. */
export const IfMatchHeader = z
  .string()
  .max(2_000)
  .optional()
  .describe(
    "ETags of the tool, one of which it must still have, else 412 `tool.precondition_failed`; `*`: whatever it is now. Its use and what is filled in of its services are no changes of it.",
  );

/** The value of the header `If-None-Match`. */
export const IfNoneMatchHeader = z
  .string()
  .max(2_000)
  .optional()
  .describe(
    "ETags of the tool; where it is still shown as with one of them the answer is 304, without a body.",
  );

/** The headers of a PUT, which may come before there is a tool. */
export const PutIfMatchHeader = z
  .string()
  .max(2_000)
  .optional()
  .describe(
    "ETags of the tool, or its `contentHash` in quotes, one of which it must still have; `*`: it must be there. Else 412 `tool.precondition_failed`. The hash covers what runs, an ETag every field.",
  );
export const PutIfNoneMatchHeader = z
  .string()
  .max(2_000)
  .optional()
  .describe("`*` alone: there must be no tool of the name, else 412 `tool.precondition_failed`.");
