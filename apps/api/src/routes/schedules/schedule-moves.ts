import { requireTenant } from "@bulkhead/tenants";
import { AcceptedExecution, Schedule } from "@bulkhead/contracts";
import { answerAccepted } from "../executions/answer-execution.ts";
import { ok } from "../../edge/envelope.ts";
import { idempotencyKeyOf } from "../../edge/idempotency-key.ts";
import { answers, ScheduleParams, type ApiScope } from "../../edge/route-schema.ts";
import { showSchedule } from "@bulkhead/executions";
import { SubmissionHeaders } from "../executions/submission.ts";
import type { Schedules } from "./wire-schedules.ts";

export type ScheduleMoveDeps = Pick<Schedules, "pauseSchedule" | "resumeSchedule" | "runSchedule">;

const tags = ["schedules"];
const params = ScheduleParams;
const write = { action: "schedules.write" } as const;

/** Pauses and resumes a schedule, and runs one out of turn. */
export function scheduleMoveRoutes(app: ApiScope, deps: ScheduleMoveDeps): void {
  const moves = [
    { move: "pause", apply: deps.pauseSchedule, summary: "Plan nothing more until it is resumed" },
    {
      move: "resume",
      apply: deps.resumeSchedule,
      summary: "Go on with the plan; the pause's runs are not made up",
    },
  ] as const;
  for (const { move, apply, summary } of moves) {
    app.post(
      `/schedules/:id/${move}`,
      { config: write, schema: { tags, summary, params, response: answers({ 200: Schedule }) } },
      async (request) => {
        const principal = requireTenant(request.principal, "schedules.write");
        return ok(request, showSchedule(await apply(principal, request.params.id)));
      },
    );
  }

  app.post(
    "/schedules/:id/run",
    {
      config: { ...write, needsRedis: true },
      schema: {
        tags,
        summary: "Run it once more, now; the plan stays as it is",
        params,
        headers: SubmissionHeaders,
        response: answers({ 202: AcceptedExecution }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "schedules.write");
      const { id } = request.params;
      const once = idempotencyKeyOf(request.headers["idempotency-key"], principal, { runOf: id });
      const { executionId, status } = await deps.runSchedule(principal, id, once);
      return answerAccepted(request, reply, executionId, status);
    },
  );
}
