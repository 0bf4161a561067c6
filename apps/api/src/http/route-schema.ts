import { Problem, success } from "@bulkhead/contracts";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";

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

/**
 * The answers of a route: the good ones by status, and problem+json for every other (in the documentation only).
 * With `streams`, status 200 may be an event stream too.
 */
export const answers = <G extends Record<number, z.ZodType>>(good: G, streams = false): Answers<G> => {
  const described: [string, unknown][] = Object.entries(good).map(([status, data]) => [
    status,
    success(data),
  ]);
  if (streams) {
    const json = good[200] ? { "application/json": { schema: success(good[200]) } } : {};
    const content = { ...json, "text/event-stream": { schema: EventStream } };
    described.push(["200", { description: "The result, or the stream of events.", content }]);
  }
  const problem = {
    description: "A problem (RFC 9457).",
    content: { "application/problem+json": { schema: Problem } },
  };
  return Object.fromEntries([...described, ["default", problem]]) as Answers<G>;
};

/** `:id` of a tool: an id or a name. */
export const ToolParams = z.strictObject({ id: z.string().min(1).max(64) });
export const ExecutionParams = z.strictObject({ id: z.string().min(1).max(64) });
export const TenantParams = z.strictObject({ id: z.string().min(1).max(64) });
