import { idOrName, Problem, success, text, VersionNumber } from "@bulkhead/contracts";
import { CONFIG_NAME_CHARS_MAX, ENTRY_LABEL_CHARS_MAX, MCP_TOOL_NAME_CHARS_MAX } from "@bulkhead/core";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import assert from "node:assert/strict";
import { z } from "zod";
import { headersOfAnswer, headersOfProblem, type HeaderName } from "./answer-headers.ts";

/** A Fastify instance whose handlers get their types from zod schemas. */
export type ApiScope = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

type Answers<G extends Record<number, z.ZodType>> = {
  [S in keyof G]: G[S] extends z.ZodType ? ReturnType<typeof success<G[S]>> : never;
};

const EventStream = z.string().describe("Server-sent events: `id`, `event` and `data` (JSON) of each.");

const STREAMED = "The stream of events.";

/** Describes an answer whose data has no description of its own. */
const BY_STATUS: Readonly<Record<string, string>> = {
  200: "What was asked for, as it is now.",
  201: "It is created; how it is now. `Location` says where.",
  202: "It is accepted, and goes on after this answer; where to look for it.",
};

const describeAnswer = (status: string, data: z.ZodType): string => {
  const description = data.description ?? BY_STATUS[status];
  assert(description, `no description for status ${status}`);
  return description;
};

const jsonOf = (data: z.ZodType) => ({ "application/json": { schema: success(data) } });

/** An answer without a body. */
export const noContent = (meaning: string) => z.undefined().describe(meaning);

/**
 * The answers of a route: the good ones by status, and problem+json for every other (in the documentation only).
 * With `streams`, status 200 may be an event stream too; with `forms`, it may come as these media types too.
 */
export const answers = <G extends Record<number, z.ZodType>>(
  good: G,
  streams = false,
  forms: Record<string, { schema: z.ZodType }> = {},
): Answers<G> => {
  const described: [string, unknown][] = Object.entries(good).map(([status, data]) => [
    status,
    {
      description: describeAnswer(status, data),
      headers: headersOfAnswer(status, data),
      content: { ...jsonOf(data), ...(status === "200" ? forms : {}) },
    },
  ]);
  if (streams) {
    const json = good[200];
    const description = json ? `${describeAnswer("200", json)} Or the stream of its events.` : STREAMED;
    const content = { ...(json && jsonOf(json)), "text/event-stream": { schema: EventStream } };
    described.push(["200", { description, headers: headersOfAnswer("200", json), content }]);
  }
  const busy = problemAnswer(BUSY, "Retry-After");
  const problem = problemAnswer("Problem details (RFC 9457).", "Retry-After", "WWW-Authenticate");
  return Object.fromEntries([...described, ["429", busy], ["default", problem]]) as Answers<G>;
};

const BUSY = "A limit is reached, such as the tenant's requests in a second (`tenant.rate_limited`).";

/** An answer that is a problem, with what such an answer carries beside the quotas. */
export const problemAnswer = (description: string, ...headers: HeaderName[]) => ({
  description,
  headers: headersOfProblem(...headers),
  content: { "application/problem+json": { schema: Problem } },
});

/** `:id` of a tool: an id, a name or an alias. */
export const ToolParams = z.strictObject({ id: idOrName.describe("The tool's id, name or alias.") });
/** `:n` of a version. */
export const VersionParams = ToolParams.extend({ n: VersionNumber.describe("The version's number.") });
export const ExecutionParams = z.strictObject({ id: idOrName.describe("The execution's id.") });
export const ScheduleParams = z.strictObject({ id: idOrName.describe("The schedule's id.") });
export const DeviceParams = z.strictObject({ id: idOrName.describe("The device's id.") });
export const ApprovalParams = z.strictObject({ id: idOrName.describe("The approval's id.") });
/** `:name` of a service, and `:label` of one of its entries. */
export const ConfigServiceParams = z.strictObject({
  name: text(CONFIG_NAME_CHARS_MAX, 1).describe("The service's name."),
});
export const ConfigEntryParams = ConfigServiceParams.extend({
  label: text(ENTRY_LABEL_CHARS_MAX, 1).describe("The entry's label."),
});
/** `:name` of an MCP server, and `:tool` of one of its tools. */
export const McpServerParams = z.strictObject({ name: idOrName.describe("The server's name.") });
export const McpServerToolParams = McpServerParams.extend({
  tool: text(MCP_TOOL_NAME_CHARS_MAX, 1).describe("The tool, as its server calls it."),
});
export const McpAccessParams = z.strictObject({ id: idOrName.describe("The request's id.") });
export const ScrubRuleParams = z.strictObject({ id: idOrName.describe("The rule's id.") });
export const TenantParams = z.strictObject({ id: idOrName.describe("The tenant's id.") });
