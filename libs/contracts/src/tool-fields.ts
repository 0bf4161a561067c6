import {
  APPROVAL_CODE_LIMITS,
  ALLOWED_HOST_CHARS_MAX,
  ALLOWED_HOSTS_MAX,
  COMMAND_CHARS_MAX,
  APPROVAL_DECISIONS,
  PERMISSIONS,
  RETRY_ATTEMPTS_MAX,
  RETRY_BACKOFF_MS_DEFAULT,
  RETRY_BACKOFF_MS_MAX,
  RETRY_FACTOR_DEFAULT,
  RETRY_FACTOR_MAX,
  RETRY_JITTER_DEFAULT,
  RETRY_ON_DEFAULT,
  RETRYABLE_CODES,
  TOOL_ALIAS,
  TOOL_COMMAND_SECONDS_DEFAULT,
  TOOL_COMMAND_SECONDS_MAX,
  TOOL_DISPATCH_MAX,
  TOOL_LANGUAGES,
  TOOL_NAME,
  TOOL_NAME_LENGTH_MAX,
  TOOL_TITLE_CHARS_MAX,
  TOOL_VARIABLE_NAME_CHARS_MAX,
  TOOL_VARIABLES_CHARS_MAX,
  TOOL_VARIABLES_MAX,
  TOOL_WORKING_DIRECTORY_CHARS_MAX,
  type TOOL_HINTS,
} from "@bulkhead/core";
import { z } from "zod";
import { anyObject, text } from "./fields.ts";
import { Limits } from "./run-limits.ts";

export const ToolName = z
  .string()
  .max(TOOL_NAME_LENGTH_MAX)
  .regex(TOOL_NAME, "must start with a lowercase letter and hold only lowercase letters, digits and _")
  .describe("The name for calls; its owner, the tenant or the agent, has no other tool of this name.");

const ToolAlias = z
  .string()
  .regex(TOOL_ALIAS, "must be 1 to 64 letters without accents, digits, _ and -")
  .describe(
    "The name that models see, for a tool that is called `getIssue` or `API-post-search` where it comes from. Calls and look-ups take it beside the name. Unique as the name is, and no other tool's name; an agent's own tool hides the tenant's that is shown under its name or its alias.",
  );
const ToolTitle = text(TOOL_TITLE_CHARS_MAX, 1).describe("A name for people; MCP clients show it.");
const ToolAnnotations = z
  .strictObject({
    readOnlyHint: z.boolean().optional().describe("It changes nothing."),
    destructiveHint: z.boolean().optional().describe("What it changes can be lost."),
    idempotentHint: z.boolean().optional().describe("Left out: as `idempotent` says."),
    openWorldHint: z.boolean().optional().describe("Left out: whether it has the permission `network`."),
  } satisfies Record<(typeof TOOL_HINTS)[number], z.ZodType>)
  .describe(
    "Hints for MCP clients, which no decision of this platform depends on; no new version is made of them.",
  );

const CODE_LENGTH_MAX = 256 * 1024;

export const Retry = z
  .strictObject({
    attempts: z.int().min(1).max(RETRY_ATTEMPTS_MAX).describe("Tries in all, the first included."),
    backoffMs: z
      .int()
      .min(0)
      .max(RETRY_BACKOFF_MS_MAX)
      .default(RETRY_BACKOFF_MS_DEFAULT)
      .describe(
        "Milliseconds before the second try. An error's `retryAfter` (seconds or a date, which `api.rest` takes from the answer's `Retry-After`) takes the place of every planned pause.",
      ),
    factor: z
      .number()
      .min(1)
      .max(RETRY_FACTOR_MAX)
      .optional()
      .describe(`How many times longer each further pause is; ${RETRY_FACTOR_DEFAULT} when left out.`),
    maxMs: z
      .int()
      .min(0)
      .max(RETRY_BACKOFF_MS_MAX)
      .optional()
      .describe("The longest planned pause; an hour when left out."),
    jitter: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        `The part of a pause by which it may be longer at random; ${RETRY_JITTER_DEFAULT} when left out.`,
      ),
    delaysMs: z
      .array(z.int().min(0).max(RETRY_BACKOFF_MS_MAX))
      .min(1)
      .max(RETRY_ATTEMPTS_MAX - 1)
      .optional()
      .describe(
        "In place of `backoffMs`, `factor` and `maxMs`: the pauses one by one; the last one holds for all further tries.",
      ),
    on: z
      .array(z.enum(RETRYABLE_CODES))
      .max(RETRYABLE_CODES.length)
      .default([...RETRY_ON_DEFAULT])
      .describe(
        "Error codes after which it is tried again; after an effect only where the tool is `idempotent`.",
      ),
  })
  .superRefine(({ delaysMs, backoffMs, factor, maxMs }, context) => {
    if (delaysMs === undefined) return;
    // A tool that is sent back as it was read has the default.
    const beside = {
      backoffMs: backoffMs === RETRY_BACKOFF_MS_DEFAULT ? undefined : backoffMs,
      factor,
      maxMs,
    };
    for (const [name, value] of Object.entries(beside)) {
      if (value === undefined) continue;
      const message = "means nothing beside delaysMs, which lists the pauses; leave one of the two out";
      context.addIssue({ code: "custom", path: [name], message });
    }
  })
  .describe("When a run that ended badly is tried again. Left out: it is not.");

export const Dispatch = z
  .strictObject({
    maxConcurrent: z
      .int()
      .min(1)
      .max(TOOL_DISPATCH_MAX.maxConcurrent)
      .optional()
      .describe("Concurrent runs; further ones wait."),
    perSecond: z
      .int()
      .min(1)
      .max(TOOL_DISPATCH_MAX.perSecond)
      .optional()
      .describe("Starts in a second; further ones wait."),
  })
  .describe("How many runs of the tool may go on and start. Left out: only the tenant's limits hold.");

/** The fields that affect a run; a change of any of these makes a new version. */
export const definition = {
  parameters: anyObject.describe(
    "JSON Schema of the arguments, an object (draft 2020-12, 2019-09 or 7; `nullable` and tuples as OpenAPI and older drafts write them are read). A `pattern` that can't be matched in linear time is taken with a warning and not checked.",
  ),
  code: text(CODE_LENGTH_MAX, 1).describe(
    "The body of an async function in strict mode, in `language`. A whole function will do as well, and is called with `(args, context)`: one that the code exports, one without a name at its end, or, where the code only declares, the one that nothing else in it uses (`main` among several). Where the code has no `return` of its own and ends with a call of a function of its own (`main()`, `(async () => {…})()`), the value of that is returned. A fence of Markdown around it is left out. Variables that nobody declares, and a value at the end that is not returned, are named in `warnings`.",
  ),
  language: z
    .enum(TOOL_LANGUAGES)
    .describe(
      "`typescript`: types are stripped before it runs and not checked; syntax that needs more than that (enums, namespaces, parameter properties) is refused.",
    ),
  approvalCode: text(CODE_LENGTH_MAX, 1).describe(
    `JavaScript, whatever \`language\` says: the body of an async function that gets \`args\` and \`context\` as \`code\` does, and says of an agent's call whether a person has to allow it (\`return args.amount > 100;\`). It runs in the sandbox before the call, without network, services or other tools, for ${APPROVAL_CODE_LIMITS.cpuMs} ms of processor time at most. Only \`false\` lets the call run: where it throws, reaches a limit or answers anything else, a person is asked. It is not asked where the tool's \`approval\` or \`requiresApproval\` decides, where the tenant's settings for the tool or such arguments say \`ask\` or \`blocked\`, nor where a standing approval lets the call run; the tenant's \`preApproved\` and default do not overrule it.`,
  ),
  command: text(COMMAND_CHARS_MAX, 1).describe(
    "In place of `code`: a command line of bash that runs over the caller's workspace, as the tool `exec` runs one, with the permission `shell` and no other. `{{.key}}` stands for the argument of that name and is one word, whatever it holds: text, numbers and booleans as they are, the rest as JSON, a missing one as nothing. It is an argument of a command or where a redirection leads; within quotes, heredocs, substitutions, assignments and conditions it is refused, and so is what reads it as more than a text (`sh -c`, `eval`, `awk`). The result is what the command says on its standard output without the last line break, read as JSON where there is an `outputSchema`; what it says on its standard error is logged. An exit code other than 0 is the tool's error.",
  ),
  workingDirectory: z
    .string()
    .max(TOOL_WORKING_DIRECTORY_CHARS_MAX)
    .describe("The folder of the workspace in which the command runs; its root unless set."),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(TOOL_COMMAND_SECONDS_MAX)
    .describe(
      `Of a command, ${TOOL_COMMAND_SECONDS_DEFAULT} unless set: another way to say \`limits.wallMs\`, within the tenant's ceiling.`,
    ),
  env: z
    .record(
      z
        .string()
        .max(TOOL_VARIABLE_NAME_CHARS_MAX)
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be a name of letters, digits and _"),
      z
        .string()
        .max(TOOL_VARIABLES_CHARS_MAX)
        .refine(
          (value) => value.isWellFormed() && !value.includes("\0"),
          "must be whole characters without NUL",
        )
        .nullable(),
    )
    .refine(
      (env) => Object.keys(env).length <= TOOL_VARIABLES_MAX,
      `must have ${TOOL_VARIABLES_MAX} variables at most`,
    )
    .refine(
      (env) => Object.entries(env).flat().join("").length <= TOOL_VARIABLES_CHARS_MAX,
      `must have ${TOOL_VARIABLES_CHARS_MAX} characters at most`,
    )
    .describe(
      "Variables of the command. Values are kept encrypted, are never shown again, and are covered in what the command says. null: the value that is there stays (a new one has none, and calls are refused until it is given one). Left out of a change or a PUT: all stay as they are; those that are not named are removed.",
    ),
  outputSchema: anyObject.describe(
    "JSON Schema (draft 2020-12, 2019-09 or 7) of the result, of any type; a run whose result does not match ends with `tool.output_invalid`. Left out: any result will do.",
  ),
  permissions: z
    .array(z.enum(PERMISSIONS))
    .max(PERMISSIONS.length)
    .describe(
      "The code's permissions: `network` gives it `fetch`, `filesystem` gives it `utils.fs`, the files of its caller's workspace, `shell` gives it `utils.exec`, commands over that workspace, `database` gives it `utils.data` and `utils.db`, `email` `utils.email`, `scheduling` `utils.schedule`. A model's tool with `shell`, `filesystem` or `email` waits for a person.",
    ),
  limits: Limits.partial().describe(
    "The limits of one run. A missing one has its default; the tenant's ceilings come first.",
  ),
  allowedHosts: z
    .array(text(ALLOWED_HOST_CHARS_MAX, 1))
    .max(ALLOWED_HOSTS_MAX)
    .describe(
      "Where `fetch` may go: `api.example.com`, `*.example.com` (every name below, not itself), each with or without `:port`. Left out: any public host; empty: none.",
    ),
  idempotent: z.boolean().describe("May be run again although an earlier try asked for an effect."),
};

export const ApplyDefaults = z
  .boolean()
  .describe(
    "Whether the `default`s of `parameters` are filled into calls that leave them out, before they are checked: in nested objects, items and through references, not within unions; null is no default if the schema does not accept null. The execution shows the arguments that ran. Default: the tenant's setting.",
  );
export const description = text(4_000, 1).describe("What the tool does; models choose by it.");
export const category = text(64, 1).describe("Any word by which lists can be narrowed.");
export const requiresApproval = z
  .boolean()
  .describe("Whether an agent's call waits for a person, if `approval` is not set.");
export const metadata = anyObject.describe("The caller's own facts about the tool; kept as they are.");
/** A command in place of code; none of it has to be said. */
export const commandFields = {
  command: definition.command.optional(),
  workingDirectory: definition.workingDirectory.optional(),
  timeoutSeconds: definition.timeoutSeconds.optional(),
  env: definition.env.optional(),
};
/** The same as it is shown. */
export const shownCommand = {
  command: z
    .string()
    .optional()
    .describe("The command line that runs in place of code; absent: the code runs."),
  workingDirectory: z.string().optional().describe("Of a command; absent: the root of the workspace."),
  timeoutSeconds: z.number().optional().describe("Of a command: `limits.wallMs` in seconds."),
  env: z
    .record(z.string(), z.null())
    .optional()
    .describe("The names of a command's variables; their values are not shown."),
};
/** What a tool is called beside its name, and what it says of itself. */
export const shown = {
  alias: ToolAlias,
  title: ToolTitle,
  annotations: ToolAnnotations,
};
/** The fields that may be left out when a tool is created or tried. */
export const optional = {
  category: category.optional(),
  permissions: definition.permissions.default([]),
  limits: definition.limits.optional(),
  allowedHosts: definition.allowedHosts.optional(),
};

export const Approval = z
  .enum(APPROVAL_DECISIONS)
  .describe(
    "The decision for agents' calls, above `requiresApproval` and `approvalCode`. Absent: `requiresApproval`, then the tenant's settings. A model's tool needs approval all the same.",
  );
