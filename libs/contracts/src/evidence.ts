import {
  DRY_RUN_EFFECTS,
  EVIDENCE_ARGUMENTS_CHARS_MAX,
  EVIDENCE_RESULTS_CHARS_MAX,
  EXECUTION_STATUSES,
  GROWTH_KINDS,
  PERMISSIONS,
  VERSION_STATES,
} from "@bulkhead/core";
import { z } from "zod";
import { anyObject, reason, timestamp } from "./fields.ts";
import { Limits } from "./run-limits.ts";
import { VersionDiff } from "./versions.ts";

const decided = z.strictObject({
  contentHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "must be a content hash: 64 hexadecimal digits")
    .optional()
    .describe(
      "The hash of the version that was reviewed: if another one waits by now, 412 `tool.precondition_failed`.",
    ),
});

/** The version that an approval is about. */
export const ApproveVersion = decided.optional();
export const RejectVersion = decided
  .extend({
    reason: reason.optional().describe("The reason for whoever proposed it, so that it can be mended."),
  })
  .optional();

export const TryVersion = z
  .strictObject({
    arguments: anyObject
      .optional()
      .describe("Arguments that match the version's schema; default: small ones that are generated from it."),
  })
  .optional();

const Effect = z.object({
  kind: z
    .enum(DRY_RUN_EFFECTS)
    .describe("`service`: the run used the stand-ins for the values of a config service."),
  target: z
    .string()
    .describe("Method and address of a request, without its query; the name of a tool or a service."),
});

const Growth = z.object({
  kind: z.enum(GROWTH_KINDS),
  target: z.string().describe("`*`: any."),
  before: z.number().optional(),
  after: z.number().optional(),
});

const DryRun = z.object({
  executionId: z.string(),
  arguments: anyObject.optional(),
  argumentsLeftOut: z
    .literal(true)
    .optional()
    .describe(
      `They have more than ${EVIDENCE_ARGUMENTS_CHARS_MAX} characters as JSON; GET /api/v1/executions/:id has them.`,
    ),
  generated: z.boolean().describe("The arguments were made from the schema, which takes them."),
  status: z
    .enum([...EXECUTION_STATUSES, "not_run"])
    .describe("`queued` and `running`: look again. `not_run`: it was not accepted, as `error` says."),
  result: z.unknown().optional(),
  truncated: z
    .literal(true)
    .optional()
    .describe(
      `\`result\` is the start of its JSON, as a text: all results of an evidence share ${EVIDENCE_RESULTS_CHARS_MAX} characters.`,
    ),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  effects: z
    .array(Effect)
    .describe(
      "The effects that it tried, each once; all were refused. `(and more)`: further ones of the kind.",
    ),
  createdAt: timestamp,
});

export const VersionEvidence = z
  .object({
    version: z.int(),
    state: z.enum(VERSION_STATES),
    contentHash: z.string().describe("The content that an approval is for."),
    capabilities: z.object({
      permissions: z.array(z.enum(PERMISSIONS)),
      hosts: z.array(z.string()).nullable().describe("Null: any public host."),
      services: z.array(z.string()),
      tools: z
        .array(z.string())
        .nullable()
        .describe("Tools that its code calls by plain names; null: it may call any."),
      limits: Limits,
    }),
    revealedServices: z
      .array(z.string())
      .describe(
        "Those of its `services` whose `delivery` is `reveal` at this moment: they give their secrets to its code.",
      ),
    packages: z
      .array(
        z.object({
          name: z.string(),
          version: z.string(),
          integrity: z.string().nullable().describe("The hash of its archive; null: no lock file had one."),
        }),
      )
      .describe(
        "The npm packages in its code, as the lock file of whoever bundled it names them; nobody else vouches for that.",
      ),
    grown: z
      .array(Growth)
      .describe(
        "Its capabilities beyond the last approved ones under the tool's name, when it was proposed.",
      ),
    diff: VersionDiff.optional().describe(
      "The difference to the serving version; absent if no other one serves.",
    ),
    seen: z.array(Effect).describe("The effects that all its dry runs tried."),
    running: z.boolean().describe("Whether a dry run still goes on: there is more to come."),
    dryRuns: z.array(DryRun),
    requestedBy: z
      .object({ keyId: z.string(), agentId: z.string().optional(), conversationId: z.string().optional() })
      .optional()
      .describe("Absent where the version never had to wait."),
    requestedAt: timestamp.optional(),
    decidedBy: z.string().optional().describe("The id of the key that approved or rejected it."),
    decidedAt: timestamp.optional(),
    reason: z.string().optional().describe("Why it was rejected, in the person's words."),
  })
  .meta({ id: "ToolVersionEvidence" });
