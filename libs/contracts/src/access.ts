import {
  ACCESS_OPERATIONS,
  ACCESS_TOKEN_SECONDS_MAX,
  EXECUTION_ID,
  ROLES,
  SCOPE_EXECUTIONS_MAX,
  SCOPE_TOOLS_MAX,
  TOOL_NAME_LENGTH_MAX,
} from "@bulkhead/core";
import { z } from "zod";
import { TenantSettings } from "./approvals.ts";
import { text, timestamp } from "./fields.ts";
import { Tenant } from "./tenants.ts";

/** What a deployment may have beside its REST API; each name is permanent. */
export const FEATURES = [
  "console",
  "mcp",
  "files",
  "memory",
  "exec",
  "data",
  "db",
  "email",
  "schedule",
  "nodes",
  "gateway",
  "browser",
  "assist",
] as const;

export const Me = z
  .object({
    tenant: Tenant.pick({ id: true, slug: true, name: true })
      .nullable()
      .describe("Null for the platform's administrator."),
    key: z.object({
      id: z.string(),
      name: z.string(),
      role: z.enum(ROLES),
      agentId: z.string().optional(),
      expiresAt: timestamp.optional().describe("From then on it opens nothing; absent: never."),
    }),
    limits: Tenant.shape.limits.nullable().describe("The tenant's; null for the administrator."),
    settings: TenantSettings.nullable().describe("The tenant's; null for the administrator."),
    features: z
      .record(z.enum(FEATURES), z.boolean())
      .describe("What this deployment has; more names may come."),
  })
  .meta({ id: "Me" });

/** A key may be longer than those that are made here, where an operator chose it. */
const KEY_CHARS_MAX = 4_096;

const sessionKey = text(KEY_CHARS_MAX, 1).describe(
  "An API key, which a page keeps for no longer than this request.",
);

export const BeginSession = z
  .strictObject({
    key: sessionKey.optional(),
    code: text(KEY_CHARS_MAX, 1)
      .optional()
      .describe(
        "Instead of `key`: a login code of `POST /session/codes`, which works once, for ten minutes.",
      ),
  })
  .refine(
    ({ key, code }) => (key === undefined) !== (code === undefined),
    "must have either `key` or `code`",
  );

export const CreateLoginCode = z.strictObject({ key: sessionKey });

export const CreatedLoginCode = z
  .object({
    code: z.string().describe("Works once; `/console/#code=<code>` logs a browser in."),
    expiresAt: z.iso.datetime(),
  })
  .describe("It is made; it can be read this once.");

const TOOL_REF = new RegExp(`^[A-Za-z0-9_-]{1,${TOOL_NAME_LENGTH_MAX}}$`);

const distinct = <T extends z.ZodType<string>>(item: T, min: number, max: number) =>
  z
    .array(item)
    .min(min)
    .max(max)
    .refine((items) => new Set(items).size === items.length, "must name each once");

export const CreateAccessToken = z
  .strictObject({
    scope: z
      .strictObject({
        operations: distinct(z.enum(ACCESS_OPERATIONS), 1, ACCESS_OPERATIONS.length).describe(
          "`execute`: run tools; `read`: read executions; `stream`: follow their events, and run tools in the mode stream.",
        ),
        tools: distinct(z.string().regex(TOOL_REF, "must be the name or id of a tool"), 1, SCOPE_TOOLS_MAX)
          .optional()
          .describe("Names or ids of the tools that may be run. Left out: all that the key may run."),
        executions: distinct(
          z.string().regex(EXECUTION_ID, "must be the id of an execution"),
          1,
          SCOPE_EXECUTIONS_MAX,
        )
          .optional()
          .describe("Executions that may be read and followed, beside those that the token itself makes."),
      })
      .describe("What the token may do, out of what the key may at that moment."),
    expiresInSeconds: z
      .int()
      .min(1)
      .max(ACCESS_TOKEN_SECONDS_MAX)
      .describe("How long it is good for; not beyond the key itself."),
  })
  .meta({
    examples: [
      {
        scope: { operations: ["execute", "read", "stream"], tools: ["fetch_weather"] },
        expiresInSeconds: 900,
      },
    ],
  });

export const CreatedAccessToken = z
  .object({
    token: z.string().describe("Sent as `Authorization: Bearer bht_…`. It is stored nowhere; keep it."),
    expiresAt: timestamp,
  })
  .meta({ id: "CreatedAccessToken", description: "It is made; it can be read this once." });
