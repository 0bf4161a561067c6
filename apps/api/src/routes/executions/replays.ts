import { AcceptedExecution, ReplayCount, ReplayedBatch, ReplayFilter } from "@bulkhead/contracts";
import { compact, type TenantPrincipal } from "@bulkhead/core";
import { requireTenant } from "@bulkhead/tenants";
import { callOriginOf } from "../../edge/call-origin.ts";
import { ok } from "../../edge/envelope.ts";
import { idempotencyKeyOf } from "../../edge/idempotency-key.ts";
import { answers, ExecutionParams, type ApiScope } from "../../edge/route-schema.ts";
import { toolFilter, type ToolFilterDeps } from "@bulkhead/executions";
import { answerAccepted, tellRepeat } from "./answer-execution.ts";
import { countRefused, presentBatchAnswer } from "./present-batch.ts";
import { SubmissionHeaders } from "./submission.ts";
import type { z } from "zod";
import type { Calls } from "./wire-executions.ts";

export type ReplayRouteDeps = Pick<Calls, "replayExecution" | "replayMatching" | "countReplayable"> &
  ToolFilterDeps;

const tags = ["executions"];
const config = { action: "executions.run", needsRedis: true } as const;

/** Calls that are made again. */
export function replayRoutes(
  app: ApiScope,
  { replayExecution, replayMatching, countReplayable, tools }: ReplayRouteDeps,
): void {
  app.post(
    "/executions/:id/replay",
    {
      config,
      schema: {
        tags,
        summary: "Make the call of an ended execution again, as a new one that names it",
        description: "The replay has no callback, also where the call had one.",
        params: ExecutionParams,
        headers: SubmissionHeaders,
        response: answers({ 202: AcceptedExecution }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.run");
      const { id } = request.params;
      const once = idempotencyKeyOf(request.headers["idempotency-key"], principal, { replayOf: id });
      const how = { ...callOriginOf(request), once };
      const { executionId, status, repeated } = await replayExecution(principal, id, how);
      if (repeated) tellRepeat(reply);
      return answerAccepted(request, reply, executionId, status);
    },
  );

  app.post(
    "/executions/replay",
    {
      // A request without a body is more likely a mistake than the wish to run all that failed.
      config: { ...config, needsBody: true },
      schema: {
        tags,
        summary:
          "Make the calls of ended executions again that match and have not been replayed, newest first",
        description:
          "Each is replayed once, however many ask at the same moment: all of them are answered with that replay. Replays have no callback, also where the calls had one.",
        body: ReplayFilter,
        response: answers({ 202: ReplayedBatch }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.run");
      const filter = await readReplayFilter({ tools }, principal, request.body);
      const replayed = await replayMatching(principal, filter, callOriginOf(request));
      countRefused(
        app,
        replayed.map(({ answer }) => answer),
      );
      const executions = replayed.map(({ replayOf, answer }) => ({
        replayOf,
        ...presentBatchAnswer(answer),
      }));
      void reply.status(202);
      return ok(request, { executions });
    },
  );

  app.post(
    "/executions/replay/count",
    {
      config: { action: "executions.run", needsBody: true, isLarge: true },
      schema: {
        tags,
        summary: "Count the calls that a replay by this filter would make now; none is made",
        body: ReplayFilter,
        response: answers({ 200: ReplayCount }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "executions.run");
      const filter = await readReplayFilter({ tools }, principal, request.body);
      return ok(request, { count: await countReplayable(principal, filter) });
    },
  );
}

async function readReplayFilter(
  deps: ToolFilterDeps,
  principal: TenantPrincipal,
  { tool, code, createdAfter, createdBefore, status, limit }: z.output<typeof ReplayFilter>,
) {
  const dateOf = (at: string | undefined) => (at === undefined ? undefined : new Date(at));
  return compact({
    ...(await toolFilter(deps, principal, tool)),
    statuses: [status],
    limit,
    errorCode: code,
    from: dateOf(createdAfter),
    to: dateOf(createdBefore),
  });
}
