import {
  POLICY_BYTES_MAX,
  POLICY_ENTRIES_MAX,
  POLICY_ENTRY_CHARS_MAX,
  POLICY_NAMES_MAX,
  type AgentPolicy,
  type PolicyDocument as Document,
  type ProviderPolicy,
  type SubagentPolicy,
  TOOL_STATUSES,
} from "@bulkhead/core";
import { z } from "zod";
import { askerName, subagentDepth } from "./call-context.ts";
import { POLICY_EXAMPLE } from "./examples.ts";
import { agentId, idOrName, pageLimit, text, timestamp, userId } from "./fields.ts";

const IF_MATCH_CHARS_MAX = 2_000;

const list = (meaning: string) =>
  z.array(text(POLICY_ENTRY_CHARS_MAX, 1)).max(POLICY_ENTRIES_MAX).optional().describe(meaning);

const byName = <K extends z.ZodType<string, string>, T extends z.ZodType>(name: K, of: T, meaning: string) =>
  z
    .record(name, of)
    .refine(
      (record) => Object.keys(record).length <= POLICY_NAMES_MAX,
      `must not have more than ${POLICY_NAMES_MAX} names`,
    )
    .optional()
    .describe(meaning);

const profile = text(POLICY_ENTRY_CHARS_MAX, 1)
  .optional()
  .describe(
    "`full`: everything; `coding`: `group:fs`, `group:runtime`, `group:sessions`, `group:memory` and `image`; `messaging`: `group:messaging`, `sessions_list`, `sessions_history`, `sessions_send`, `session_status`; `minimal`: `session_status`.",
  );
const allow = list("Only what it names stays.");
const deny = list("What it names goes, whatever allows it.");
const alsoAllow = list("What it names comes back, whatever took it but `subagents` and `forbid`.");

const entries = z.array(text(POLICY_ENTRY_CHARS_MAX, 1)).max(POLICY_ENTRIES_MAX);

const Provider = z.strictObject({ profile, allow } satisfies Record<keyof ProviderPolicy, z.ZodType>);

const Agent = z.strictObject({
  allow,
  deny,
  alsoAllow,
  byProvider: byName(
    askerName,
    z.strictObject({ allow }),
    "Lists for the agent where a provider runs its model.",
  ),
} satisfies Record<keyof AgentPolicy, z.ZodType>);

const Subagents = z
  .strictObject({
    deny: list("Taken from every subagent (`context.subagentDepth` of 1 or more)."),
    leafDeny: list("Taken from subagents that begin none of their own."),
  } satisfies Record<keyof SubagentPolicy, z.ZodType>)
  .optional()
  .describe("Lists for agents that another agent has begun, heard after `alsoAllow`.");

/** The shape that the policy decides by; the core has it as a type. */
const document = z
  .strictObject({
    profile,
    allow,
    deny,
    alsoAllow,
    byProvider: byName(askerName, Provider, "By `context.provider`."),
    agents: byName(agentId, Agent, "By the agent's id."),
    groupAllow: byName(askerName, entries, "By `context.group`: only what the list names stays."),
    groups: byName(
      text(POLICY_ENTRY_CHARS_MAX, 1),
      entries,
      "Groups of tools of one's own, for `group:<name>`. A group holds no other of one's own.",
    ),
    subagents: Subagents,
    forbid: list("What it names is nobody's; nothing brings it back."),
  } satisfies Record<keyof Document, z.ZodType>)
  .refine(
    (said) => Buffer.byteLength(JSON.stringify(said)) <= POLICY_BYTES_MAX,
    `must not have more than ${POLICY_BYTES_MAX} bytes as JSON`,
  ) satisfies z.ZodType<Document>;

export const PolicyDocument = document.meta({
  id: "PolicyDocument",
  examples: [POLICY_EXAMPLE],
  description:
    "Which tools the tenant's agents get. Heard in this order: `profile`, the provider's profile, `allow`, the provider's, the agent's, the agent's for the provider, the group's (each keeps what it names); `deny`, the agent's (take); `alsoAllow`, the agent's (bring back); `subagents` by depth, then `forbid` (take). The order of a list's entries means nothing. An entry is a tool's name, `?` and the name of one that is not there yet, a beginning of names with `*` behind it, or `group:<name>`: `fs`, `runtime`, `web`, `memory`, `sessions`, `ui`, `automation`, `messaging`, `delegation`, `teams`, `meta` (the meta-tools), `native` (all that the product brings), `mcp`, `mcp:<server>`, or one's own.",
});

const Remark = z.object({
  path: z.string().describe("Of the entry in the document, as in `agents.alpha.deny.0`."),
  message: z.string(),
});

/** The header of a change that counts only if nobody else made one meanwhile. */
export const PolicyIfMatch = z.looseObject({
  "if-match": z
    .string()
    .max(IF_MATCH_CHARS_MAX)
    .optional()
    .describe(
      'ETags of the document, as in `"3"` (`"0"`: none was ever put), one of which it must still have, else 412 `policy.precondition_failed`; `*`: whatever it is now.',
    ),
});

/** A document as it was put. */
export const PutPolicy = document
  .safeExtend({
    warnings: z
      .array(Remark)
      .optional()
      .describe("Entries that mean no tool that is there now; the document is in force all the same."),
  })
  .meta({ id: "PutPolicy" });

/** Tools that one page of an explanation holds, and at most. */
const EXPLAINED_TOOLS = 1_000;
const EXPLAINED_TOOLS_MAX = 10_000;

export const ExplainPolicy = z.strictObject({
  agentId: agentId.optional().describe("The agent that asks, with its own tools before the tenant's."),
  userId: userId.optional(),
  provider: askerName.optional().describe("As `context.provider` of a call."),
  group: askerName.optional().describe("As `context.group` of a call."),
  subagentDepth: subagentDepth.optional(),
  policy: document
    .optional()
    .describe("A document to compare: the answer then says what it would change. Nothing is stored."),
  limit: z.int().min(1).max(EXPLAINED_TOOLS_MAX).default(EXPLAINED_TOOLS).describe("Tools of one answer."),
  cursor: text(POLICY_ENTRY_CHARS_MAX, 1).optional().describe("The `nextCursor` of the answer before."),
});

const verdict = {
  allowed: z.boolean().describe("Whether the policy and the grants give the tool."),
  step: z
    .string()
    .optional()
    .describe(
      "What had the last word: a list, as in `agents.alpha.deny`, or of a tool of an MCP server its grants or agents, as in `mcp-servers.github.grants`; absent where nothing had any.",
    ),
  entry: z
    .string()
    .optional()
    .describe("The entry that meant the tool; absent where a list took it by not naming it."),
  why: z.string().describe("The same in one line, behind the tool's status where that is not `active`."),
};

export const ExplainTool = z.strictObject({
  tool: idOrName.describe("The id or the name of the tool."),
  userId: userId.optional(),
  provider: askerName.optional().describe("As `context.provider` of a call."),
  group: askerName.optional().describe("As `context.group` of a call."),
  subagentDepth: subagentDepth.optional(),
});

/** One tool, for all agents. */
export const ExplainedTool = z.object({
  name: z.string(),
  status: z.enum(TOOL_STATUSES).describe("Only an `active` tool is in definitions and runs."),
  agents: z
    .array(
      z.object({
        agentId: z.string().optional().describe("Absent: any agent that is not among the others."),
        ...verdict,
      }),
    )
    .describe("Of an agent's own tool that agent alone."),
});

export const AgentQuery = z.strictObject({
  limit: pageLimit,
  cursor: agentId.optional().describe("The `nextCursor` of the page before. Left out: the first page."),
});

export const AgentList = z.object({
  agents: z
    .array(
      z.object({
        id: z.string().optional().describe("Absent: the agents whose keys name none."),
        keys: z.int().describe("Keys with the role agent."),
        lastUsedAt: timestamp.optional().describe("The last use of one of them."),
        inPolicy: z.boolean().describe("The policy has lists of its own for it."),
        tools: z.int().describe("Tools that are its own."),
      }),
    )
    .describe("By their ids; those whose keys name none come last."),
  nextCursor: z.string().nullable(),
});

export const ExplainedPolicy = z.object({
  version: z.int().describe("Of the document in force; 0: there is none."),
  tools: z.array(
    z.object({
      name: z.string(),
      status: z.enum(TOOL_STATUSES).describe("Only an `active` tool is in definitions and runs."),
      ...verdict,
      candidate: z
        .object(verdict)
        .optional()
        .describe("By the document of the request; absent where there is none."),
    }),
  ),
  count: z.int().describe("All tools, not only those of this answer."),
  allowed: z
    .int()
    .describe("How many of all tools the policy and the grants give the asker, whatever their status."),
  changes: z
    .object({ given: z.int(), taken: z.int() })
    .optional()
    .describe("How many of all tools the document of the request would give and take."),
  warnings: z.array(Remark).optional().describe("Entries of the document of the request that mean no tool."),
  nextCursor: z.string().nullable(),
});
