import { PERMISSIONS, TOOL_NAME_LENGTH_MAX, TOOL_STATUSES } from "@bulkhead/core";
import { z } from "zod";
import { agentId, anyObject, text, timestamp, wholeNumber } from "./fields.ts";
import { CreateTool } from "./tools.ts";

/** Tools in one part of an export, and names in its query. */
export const PACKAGE_TOOLS_MAX = 100;
/** Folders in one import, and tools that it deletes. */
export const IMPORT_TOOLS_MAX = 1_000;
/** Tools in one page of the hashes of all. */
export const HASHES_PAGE_MAX = 1_000;
/** UTF-16 units of a hash or an ETag that says what has to be there. */
const TAG_CHARS_MAX = 128;
/** UTF-16 units of the place where folders are kept. */
const SOURCE_CHARS_MAX = 512;
/** UTF-16 units of a folder's name and of the name that a manifest gives. */
export const PACKAGE_NAME_CHARS_MAX = 128;
/** Files in `examples/`. */
export const EXAMPLES_MAX = 20;
/** UTF-16 units of one example as JSON. */
export const EXAMPLE_CHARS_MAX = 16 * 1024;
/** UTF-16 units of a README.md. */
export const README_CHARS_MAX = 64 * 1024;

/** The contents of `manifest.json`: the fields of a creation without the code, and two short ways to write the schemas. */
export const ToolManifest = CreateTool.omit({
  code: true,
  approvalCode: true,
  name: true,
  language: true,
  parameters: true,
}).extend({
  name: text(PACKAGE_NAME_CHARS_MAX, 1)
    .optional()
    .describe("Left out: the folder's. One that is no tool's name becomes one in snake case."),
  language: CreateTool.shape.language
    .removeDefault()
    .optional()
    .describe("The language that the code's file name shows."),
  parameters: CreateTool.shape.parameters.optional(),
  input: anyObject
    .optional()
    .describe("Instead of `parameters`: fields by name, each a JSON Schema that may hold `required: true`."),
  output: anyObject.optional().describe("Instead of `outputSchema`, likewise."),
});

export type ToolManifest = z.infer<typeof ToolManifest>;

const { shape: manifest } = ToolManifest;

/** A manifest as it is written, in which fields with a default may be left out. */
const WrittenManifest = ToolManifest.extend({
  permissions: manifest.permissions.optional(),
  idempotent: manifest.idempotent.optional(),
  createdBy: manifest.createdBy.optional(),
  requiredApiKeys: manifest.requiredApiKeys.optional(),
  requiredConfigServices: manifest.requiredConfigServices.optional(),
}).meta({ id: "ToolManifest" });

/** One tool's folder as JSON: each file by its name. */
const ToolFolder = z
  .object({
    "manifest.json": WrittenManifest,
    "tool.js": z.string().optional().describe("This, `tool.ts`, or a `command` in the manifest."),
    "tool.ts": z.string().optional(),
    "approval.js": z.string().optional().describe("The tool's `approvalCode`."),
    "README.md": z.string().optional(),
    examples: anyObject.optional().describe("Keyed by file name (`basic.json`); any JSON."),
  })
  .meta({ id: "ToolFolder" });

const tag = text(TAG_CHARS_MAX, 1);
const atMost = (count: number) =>
  [(many: object) => Object.keys(many).length <= count, `must be ${count} tools at most`] as const;
/** Milliseconds that a folder may be told to have taken to load. */
const LOAD_MS_MAX = 600_000;

/** Folders are looked into one by one, so that one fault does not stand for all. */
export const ToolPackages = z.strictObject({
  tools: z
    .record(z.string(), z.any())
    .refine(...atMost(IMPORT_TOOLS_MAX))
    .describe("Each tool's folder (`ToolFolder`) by its name."),
  ifMatch: z
    .record(z.string(), tag.nullable())
    .optional()
    .describe(
      "By folder, what its tool has to be: a `recordHash`, a `contentHash` or an ETag; null: there is none. Else nothing is stored for it (`tool.precondition_failed`); needs `existing=update`.",
    ),
  source: text(SOURCE_CHARS_MAX, 1)
    .optional()
    .describe(
      "Where the folders are kept, as `github.com/acme/tools`: `…/export/hashes` says it of a tool until anybody else changes its record; needs `mode=all`.",
    ),
  remove: z
    .record(z.string(), tag)
    .refine(...atMost(IMPORT_TOOLS_MAX))
    .optional()
    .describe(
      "Tools to delete in the same step, by id, each with what it has to be, likewise; needs `mode=all`.",
    ),
  loadMs: z
    .record(z.string(), z.number().min(0).max(LOAD_MS_MAX))
    .refine(...atMost(IMPORT_TOOLS_MAX))
    .optional()
    .describe("For the operator's metrics alone: the milliseconds that it took to read and bundle a folder."),
});

const recordHash = z
  .string()
  .describe("SHA-256, in hex, of all that the tool's folder says; another after every change of that.");

export const ImportQuery = z.strictObject({
  mode: z
    .enum(["all", "each"])
    .default("all")
    .describe("`all`: every folder's tool is made or none; `each`: every one on its own."),
  existing: z
    .enum(["update", "skip", "fail"])
    .default("fail")
    .describe(
      "What becomes of a folder whose name its owner has a tool of: `update` makes the tool what the folder says, as `PUT` does; `skip` leaves it alone; `fail` refuses the folder.",
    ),
  dryRun: z
    .enum(["true", "false"])
    .default("false")
    .describe("`true`: everything is checked, nothing is stored, and the answer says what would be done."),
});

export const HashesQuery = z.strictObject({
  limit: wholeNumber(1, HASHES_PAGE_MAX)
    .default(HASHES_PAGE_MAX)
    .describe("How many entries the page holds at most."),
  cursor: z.string().max(400).optional().describe("The `nextCursor` of the page before."),
});

/** A tool as it is compared with a folder. */
const ToolHash = z
  .object({
    id: z.string(),
    name: z.string(),
    agentId: z.string().optional().describe("Whose tool it is; absent: the tenant's."),
    recordHash,
    contentHash: z.string(),
    version: z.int(),
    status: z.enum(TOOL_STATUSES),
    pendingVersion: z.int().optional().describe("A newer version that a person has to approve."),
    updatedAt: timestamp,
    source: z
      .string()
      .optional()
      .describe("The `source` of the import that made it what it is; absent once anybody else changed it."),
  })
  .meta({ id: "ToolHash" });

export const ToolHashes = z.object({ tools: z.array(ToolHash), nextCursor: z.string().nullable() });

const NAMES_CHARS_MAX = PACKAGE_TOOLS_MAX * (TOOL_NAME_LENGTH_MAX + 1);

export const ExportQuery = z.strictObject({
  names: text(NAMES_CHARS_MAX, 1)
    .optional()
    .describe(`Up to ${PACKAGE_TOOLS_MAX}, with commas between them.`),
  status: z.enum(TOOL_STATUSES).optional().describe("Only tools with this status."),
  agentId: agentId.optional().describe("Only this agent's own tools."),
  format: z.enum(["zip", "json"]).optional().describe("Left out: what `Accept` asks for, else JSON."),
  cursor: z.string().max(400).optional().describe('Of the `Link` with `rel="next"` of the part before.'),
});

const Imported = z.object({
  folder: z.string(),
  name: z.string().optional().describe("The tool's name, made of the folder's or the manifest's."),
  outcome: z
    .enum(["created", "updated", "unchanged", "skipped", "deleted", "failed"])
    .describe(
      "`skipped` and `unchanged`: the tool is as it was. Deleted ones come behind the folders', with their names as `folder`.",
    ),
  changed: z.array(z.string()).optional().describe("The fields that an update changes."),
  schedulesPaused: z.int().optional().describe("Schedules that called a deleted tool, and were active."),
  id: z.string().optional().describe("The tool's id; absent where a dry run would make it."),
  version: z.int().optional(),
  status: z.enum(TOOL_STATUSES).optional(),
  contentHash: z.string().optional(),
  recordHash: recordHash.optional(),
  permissions: z.array(z.enum(PERMISSIONS)).optional(),
  warnings: z.array(z.string()).optional(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      errors: z.array(
        z.object({
          path: z.string().describe("File and field: `fetch-products/manifest.json: input.limit.type`."),
          message: z.string(),
          line: z.int().optional(),
          column: z.int().optional(),
          rule: z.string().optional(),
        }),
      ),
    })
    .optional()
    .describe("Why there is no such tool; only in mode `each`."),
});

export const ImportAnswer = z
  .object({
    tools: z.array(Imported),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    skipped: z.int(),
    deleted: z.int(),
    refused: z.int().describe("Those that failed."),
  })
  .meta({ id: "ImportAnswer" });

export const ExportAnswer = z
  .object({ tools: z.record(z.string(), ToolFolder) })
  .meta({ id: "ToolPackages" })
  .describe("The tools' folders: a body of an import.");
