import {
  CONFIG_NAME_CHARS_MAX,
  MCP_AGENT_IDS_MAX,
  MCP_SERVER_NAME,
  MCP_STATES,
  MCP_TIMEOUT_MS_DEFAULT,
  MCP_TIMEOUT_MS_MAX,
  MCP_TRANSPORTS,
  type McpServerSetup,
} from "@bulkhead/core";
import { z } from "zod";
import { MCP_SERVER_EXAMPLE } from "./examples.ts";
import { agentId, clearable, text, timestamp } from "./fields.ts";

/** Bounds of what says how a server is reached. */
const URL_CHARS_MAX = 2_000;
const PATH_CHARS_MAX = 1_000;
const ARGS_MAX = 64;
const VALUES_MAX = 64;
const VALUE_NAME_CHARS_MAX = 128;
const VALUE_CHARS_MAX = 4_096;
const PREFIX_CHARS_MAX = 32;
const TIMEOUT_MS_MIN = 1_000;

const CONFIG_FIELD = /^[A-Za-z0-9][A-Za-z0-9._-]*\.[A-Za-z_][A-Za-z0-9_]*$/;

const Value = z.union(
  [
    text(VALUE_CHARS_MAX),
    z.strictObject({
      config: z
        .string()
        .max(2 * CONFIG_NAME_CHARS_MAX + 1)
        .regex(CONFIG_FIELD, "must be a service and its field, such as github.token"),
    }),
  ],
  { error: 'must be a text, or {"config": "service.field"}' },
);

const values = (meaning: string) =>
  z
    .record(text(VALUE_NAME_CHARS_MAX, 1), Value)
    .refine((said) => Object.keys(said).length <= VALUES_MAX, `must not have more than ${VALUES_MAX} names`)
    .describe(
      `${meaning} A value is a text that anyone may read, or \`{"config": "service.field"}\`: what the Config Center holds there. What looks like a secret is refused as a text.`,
    );

export const McpServerName = z
  .string()
  .regex(MCP_SERVER_NAME, "must be a lower-case letter, then letters, digits and _, 32 at most")
  .describe("`mcp:<name>` is the group of its tools.");

const setup = {
  transport: z
    .enum(MCP_TRANSPORTS)
    .describe(
      "`streamable-http`, or `sse` for servers of the former protocol; `stdio` starts a process, which the administrator's key alone may say.",
    ),
  url: text(URL_CHARS_MAX, 1).describe(
    "Where the server is asked, by https; not for `stdio`. Requests go to this host alone.",
  ),
  command: text(PATH_CHARS_MAX, 1).describe("The program of a `stdio` server, as an absolute path."),
  args: z.array(text(VALUE_CHARS_MAX)).max(ARGS_MAX).describe("What a `stdio` server's program is given."),
  env: values("Variables of a `stdio` server's process, beside `PATH`, `HOME` and `TMPDIR`."),
  headers: values("Headers of every request to the server."),
  toolPrefix: z
    .string()
    .regex(/^[a-zA-Z0-9_-]+$/, "must be letters, digits, _ and -")
    .max(PREFIX_CHARS_MAX)
    .describe(
      "What the names of its tools begin with; it can't be changed once they are there. Left out: `mcp__<name>__`.",
    ),
  timeoutMs: z
    .int()
    .min(TIMEOUT_MS_MIN)
    .max(MCP_TIMEOUT_MS_MAX)
    .describe("For one call of one of its tools."),
  agentIds: z
    .array(agentId)
    .max(MCP_AGENT_IDS_MAX)
    .describe("The agents that get its tools where no grant speaks of them. Left out: all of them."),
} satisfies Record<keyof McpServerSetup, z.ZodType>;

const orNull = <T extends z.ZodType>(field: T) =>
  field
    .nullable()
    .default(null)
    .describe(field.description ?? "");

export const CreateMcpServer = z
  .strictObject({
    name: McpServerName,
    transport: setup.transport,
    url: orNull(setup.url),
    command: orNull(setup.command),
    args: setup.args.default([]),
    env: setup.env.default({}),
    headers: setup.headers.default({}),
    toolPrefix: orNull(setup.toolPrefix),
    timeoutMs: setup.timeoutMs.default(MCP_TIMEOUT_MS_DEFAULT),
    agentIds: orNull(setup.agentIds),
  })
  .meta({ examples: [MCP_SERVER_EXAMPLE] });

export const UpdateMcpServer = z.strictObject({
  transport: setup.transport.optional(),
  url: clearable(setup.url),
  command: clearable(setup.command),
  args: setup.args.optional(),
  env: setup.env.optional(),
  headers: setup.headers.optional(),
  toolPrefix: clearable(setup.toolPrefix),
  timeoutMs: setup.timeoutMs.optional(),
  agentIds: clearable(setup.agentIds),
});

/** Whose servers are meant. */
export const McpServerQuery = z.strictObject({
  tenantId: text(64, 1)
    .optional()
    .describe("For the administrator's key, which needs it: the tenant that is meant."),
});

export const McpServer = z
  .object({
    name: z.string(),
    transport: setup.transport,
    url: z.string().optional(),
    command: z.string().optional(),
    args: z.array(z.string()),
    env: z.record(z.string(), Value),
    headers: z.record(z.string(), Value),
    toolPrefix: z.string().optional(),
    timeoutMs: z.int(),
    agentIds: z.array(z.string()).optional().describe("Absent: all agents."),
    enabled: z.boolean(),
    state: z
      .enum(MCP_STATES)
      .describe(
        "`idle`: nobody needs it now; `waiting`: a pause before the next try; `failed`: nobody tries any more, until somebody refreshes or enables it.",
      ),
    stateReason: z.string().optional().describe("Why it is not connected."),
    stateAt: timestamp,
    failures: z.int().describe("Failed tries in a row."),
    toolCount: z.int().optional().describe("How many tools of it are known; told where servers are read."),
    waitingToolCount: z.int().optional().describe("How many of them wait for a person: new or changed ones."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "McpServer" });

export const McpServers = z.object({ servers: z.array(McpServer), nextCursor: z.null() });

/** What a look at a server has found. */
export const McpServerTest = z.object({
  ok: z.boolean(),
  message: z.string().optional().describe("Why it could not be reached; absent where it was."),
  connectMs: z.number().optional().describe("0 where somebody was connected already."),
  serverName: z.string().optional().describe("As the server calls itself."),
  serverVersion: z.string().optional(),
  protocol: z.string().optional().describe("The revision of MCP that both speak."),
  tools: z.int().optional().describe("How many it offers."),
});
