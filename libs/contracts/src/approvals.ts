import {
  APPROVAL_DECISIONS,
  APPROVAL_RULES_MAX,
  APPROVAL_SETTINGS_DEFAULT,
  APPROVAL_TIMEOUT_MS_MAX,
  APPROVAL_TIMEOUT_MS_MIN,
  APPROVAL_TOOLS_MAX,
  ARGUMENT_PATTERN_CHARS_MAX,
  ARGUMENT_POINTER_CHARS_MAX,
  COMMAND_PATTERN_CHARS_MAX,
  COMMAND_RULES_MAX,
  FILE_PATH_BYTES_MAX,
  STANDING_ID,
} from "@bulkhead/core";
import { z } from "zod";
import { DataSettings } from "./data-settings.ts";
import { FileSettings } from "./file-settings.ts";
import { ShellSettings } from "./shell-settings.ts";
import { idleWords } from "./idle-approval-words.ts";
import { pageCursor, pageLimit, text, timestamp } from "./fields.ts";
import { Retention } from "./retention.ts";

const Decision = z.enum(APPROVAL_DECISIONS);
const ToolRef = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "must be the id or the name of a tool");

const argument = text(ARGUMENT_POINTER_CHARS_MAX)
  .regex(/^(\/([^~/]|~[01])*)*$/, "must be a JSON pointer (RFC 6901), such as /command")
  .nullable()
  .describe("A JSON pointer to the argument meant; null: all of them, as JSON with sorted keys.");
const pattern = text(ARGUMENT_PATTERN_CHARS_MAX, 1).describe(
  "The whole text must match; `*` stands for any characters. A value that is no text counts as its JSON.",
);

const Rule = z.strictObject({
  tool: ToolRef.describe("The tool that is meant, by id or name."),
  argument: argument.default(null),
  pattern,
  decision: Decision.describe("The decision for a matching call."),
});

const Command = z
  .strictObject({
    pattern: text(COMMAND_PATTERN_CHARS_MAX, 1)
      .refine((said) => said.trim() !== "" && !said.includes("\0"), "must have a word")
      .describe(
        "The first words of a command, compared one by one after quotes are taken off; `*` in a word stands for any characters. `git ` is every command git, `git push` those that begin so. With `exact` the whole line.",
      ),
    approval: Decision.describe("The decision for a matching command."),
    exact: z
      .boolean()
      .optional()
      .describe("For this very line alone, as allow-always of a command remembers it."),
    cwd: text(FILE_PATH_BYTES_MAX, 1)
      .optional()
      .describe("With `exact`: the folder that the call names; absent: it names none."),
  })
  .refine(({ exact, cwd }) => cwd === undefined || exact === true, {
    path: ["cwd"],
    message: "only an exact rule has a folder",
  });

const { timeoutMs, ...defaults } = APPROVAL_SETTINGS_DEFAULT;

const Approvals = z.strictObject({
  default: Decision.describe(
    `For agents' calls that nothing else decides; \`blocked\` blocks \`run_code\` too, which is never asked about. ${defaults.default} unless set.`,
  ),
  tools: z
    .record(ToolRef, Decision)
    .refine((tools) => Object.keys(tools).length <= APPROVAL_TOOLS_MAX, `at most ${APPROVAL_TOOLS_MAX} tools`)
    .describe(
      "Keyed by id or name, of meta-tools too. A blocked tool is blocked whatever any other setting says; otherwise a tool's own setting comes first. `create_tool` and `delete_custom_tool` take any decision, `update_tool`, `toggle_custom_tool` and `run_code` all but `ask`, meta-tools that only read, and `call_tool`, none.",
    ),
  rules: z
    .array(Rule)
    .max(APPROVAL_RULES_MAX)
    .describe(
      "By arguments, before `tools`: the first that matches decides, and one that blocks does anywhere. Meta-tools as in `tools`.",
    ),
  commands: z
    .array(Command)
    .max(COMMAND_RULES_MAX)
    .describe(
      "For the command lines that agents run by `exec` and `process`. Of each command in a line the first rule that matches decides, and one that blocks does anywhere; over the commands of a line the strictest word holds. What no rule names is decided as any other call of the tool. A rule that lets run doesn't hold for a command that writes to a file by a redirection, sets variables or stands under a name that the line defines; a word that is computed when it runs matches rules that ask or block alone.",
    ),
  metaTools: Decision.describe(
    `For agents' calls of meta-tools that change tools, where nothing names the meta-tool: \`blocked\` blocks all of them, \`ask\` asks about \`create_tool\` and \`delete_custom_tool\`. ${defaults.metaTools} unless set.`,
  ),
  developersMayApprove: z.boolean().describe("Owners always may."),
  autoApproveWithoutGrowth: z
    .boolean()
    .describe(
      "Whether a model's new version that asks for nothing more than the approved one needs no approval.",
    ),
  timeoutMs: z
    .int()
    .min(APPROVAL_TIMEOUT_MS_MIN)
    .max(APPROVAL_TIMEOUT_MS_MAX)
    .describe(`How long a call waits for a person; then it is denied. ${timeoutMs} unless set.`),
});

const TenantRetention = Retention.nullable().describe(
  "How long the data of executions are kept, for parts that a tool's own `retention` does not set; null or a missing part: as long as the platform keeps them. It holds for executions that are accepted from now on.",
);

const ApplyDefaults = z
  .boolean()
  .describe(
    "Whether the `default`s of tools' `parameters` are filled into calls that leave them out; a tool's own `applyDefaults` stands above it. false unless set.",
  );

/** A change of a tenant's settings: a field that is set replaces the whole former value. */
export const TenantSettingsChange = z.strictObject({
  approval: Approvals.partial()
    .superRefine((approval, check) => {
      for (const { path, message } of idleWords(approval))
        check.addIssue({ code: "custom", path, message, input: approval });
    })
    .optional()
    .describe("Which calls need a person. Fields that are left out stay."),
  retention: TenantRetention.optional(),
  applyDefaults: ApplyDefaults.optional(),
  files: FileSettings.optional(),
  shell: ShellSettings.optional(),
  data: DataSettings.optional(),
});
export const TenantSettings = z
  .object({
    approval: Approvals,
    retention: TenantRetention,
    applyDefaults: ApplyDefaults,
    files: FileSettings,
    shell: ShellSettings,
    data: DataSettings,
  })
  .meta({ id: "TenantSettings" });

/** Where a change names tools of approvals that are not there. */
export const approvalWarnings = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .optional()
  .describe("Places of `approval` that name no tool that is there now; they are in force all the same.");

/** Settings as a change left them. */
export const UpdatedTenantSettings = TenantSettings.safeExtend({ warnings: approvalWarnings }).meta({
  id: "UpdatedTenantSettings",
});

/** For which calls of the tool's version it is allowed from now on: without a pattern for all. */
export const AllowAlways = z
  .strictObject({ argument: argument.default(null), pattern: pattern.optional() })
  .refine((said) => said.argument === null || said.pattern !== undefined, {
    path: ["pattern"],
    message: "an argument needs a pattern",
  });

const Standing = z
  .object({
    id: z.string(),
    toolId: z.string(),
    toolName: z.string(),
    toolVersion: z.int(),
    argument: z.string().optional(),
    pattern: z.string().optional().describe("Absent: every call of the version."),
    approvalId: z.string().describe("The call at which it was given."),
    createdBy: z.string(),
    createdAt: timestamp,
    uses: z.int().describe("How many calls it let through; told some seconds after the call."),
    lastUsedAt: timestamp.optional().describe("When it let one through last; absent: never."),
  })
  .meta({ id: "StandingApproval" });

export const StandingPage = z.object({ standing: z.array(Standing), nextCursor: z.string().nullable() });
export const StandingQuery = z.strictObject({
  limit: pageLimit,
  cursor: pageCursor(STANDING_ID),
});
