import { compact } from "@bulkhead/core";
import { requireTenant } from "@bulkhead/tenants";
import {
  CreateSchedule,
  Deleted,
  Schedule,
  SchedulePage,
  ScheduleQuery,
  UpdateSchedule,
  oneMore,
  pageOf,
} from "@bulkhead/contracts";
import { ok } from "../../edge/envelope.ts";
import { answers, ScheduleParams, type ApiScope } from "../../edge/route-schema.ts";
import { showSchedule } from "@bulkhead/executions";
import type { Schedules } from "./wire-schedules.ts";

export type ScheduleRouteDeps = Pick<
  Schedules,
  "createSchedule" | "listSchedules" | "getSchedule" | "updateSchedule" | "deleteSchedule"
>;

const tags = ["schedules"];
const params = ScheduleParams;
const read = { action: "schedules.read" } as const;
const write = { action: "schedules.write" } as const;

/** Calls that are made again and again: create, read, change, delete. */
export function scheduleRoutes(app: ApiScope, deps: ScheduleRouteDeps): void {
  app.post(
    "/schedules",
    {
      config: write,
      schema: {
        tags,
        summary: "Run a tool by a cron pattern, or every so many milliseconds",
        body: CreateSchedule,
        response: answers({ 201: Schedule }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "schedules.write");
      const { name = null, context, ...rest } = request.body;
      const schedule = await deps.createSchedule(principal, { ...rest, name, context: compact(context) });
      void reply.status(201).header("location", `/api/v1/schedules/${schedule.scheduleId}`);
      return ok(request, showSchedule(schedule));
    },
  );

  app.get(
    "/schedules",
    {
      config: read,
      schema: {
        tags,
        summary: "List schedules, newest first",
        querystring: ScheduleQuery,
        response: answers({ 200: SchedulePage }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "schedules.read");
      const { limit, cursor } = request.query;
      const asked = compact({ limit: oneMore(limit), before: cursor });
      const found = await deps.listSchedules(principal, asked);
      const { page, nextCursor } = pageOf(found, limit, ({ scheduleId }) => scheduleId);
      return ok(request, { schedules: page.map(showSchedule), nextCursor });
    },
  );

  app.get(
    "/schedules/:id",
    {
      config: read,
      schema: { tags, summary: "Read a schedule", params, response: answers({ 200: Schedule }) },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "schedules.read");
      return ok(request, showSchedule(await deps.getSchedule(principal, request.params.id)));
    },
  );

  app.patch(
    "/schedules/:id",
    {
      config: write,
      schema: {
        tags,
        summary: "Change a schedule; a new plan counts from now",
        params,
        body: UpdateSchedule,
        response: answers({ 200: Schedule }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "schedules.write");
      const { context, ...rest } = request.body;
      const change = compact({ ...rest, context: context && compact(context) });
      return ok(request, showSchedule(await deps.updateSchedule(principal, request.params.id, change)));
    },
  );

  app.delete(
    "/schedules/:id",
    {
      config: write,
      schema: {
        tags,
        summary: "Delete a schedule; its executions stay",
        params,
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      await deps.deleteSchedule(requireTenant(request.principal, "schedules.write"), request.params.id);
      return ok(request, { deleted: true as const });
    },
  );
}
