import { requireTenant } from "@bulkhead/tenants";
import { Usage, usageGroupsOf, UsageQuery } from "@bulkhead/contracts";
import {
  compact,
  type Clock,
  type UsageGroup,
  type UsageMark,
  type UsageRow,
  type UsageStore,
} from "@bulkhead/core";
import { ok } from "../../edge/envelope.ts";
import { leaving } from "../../edge/leaving.ts";
import { answers, problemAnswer, type ApiScope } from "../../edge/route-schema.ts";
import { toolFilter, type ToolFilterDeps } from "@bulkhead/executions";
import { invalid, usagePeriod } from "./usage-period.ts";

export type UsageRouteDeps = { usage: UsageStore; clock: Clock } & ToolFilterDeps;

/** Adding up may take seconds, and one tenant's questions must not keep another's from their answers. */
export const BUSY = problemAnswer(
  "The tenant has enough of these questions under way (`usage.busy`), or sends too many requests (`tenant.rate_limited`). `Retry-After` says when to ask again.",
  "Retry-After",
);

export const TOO_MUCH = problemAnswer(
  "The period holds more than can be added up in time (`usage.too_much`): ask for fewer days, or for one tool.",
);

/** Adds up what a tenant's executions used. */
export function usageRoutes(app: ApiScope, deps: UsageRouteDeps): void {
  app.get(
    "/usage",
    {
      config: { action: "usage.read" },
      schema: {
        tags: ["usage"],
        summary: "Sum executions, processor and worker time and bytes, by day and tool",
        querystring: UsageQuery,
        response: { ...answers({ 200: Usage }), 422: TOO_MUCH, 429: BUSY },
      },
    },
    async (request, reply) => {
      const left = leaving(reply);
      const { tool, groupBy, limit, cursor, ...asked } = request.query;
      const principal = requireTenant(request.principal, "usage.read");
      const period = usagePeriod(asked, deps.clock());
      const by = usageGroupsOf(groupBy);
      const after = cursor === undefined ? undefined : readMark(cursor, by);
      const named = await toolFilter(deps, principal, tool);
      const question = { ...period, by, limit, ...named, ...compact({ after }) };
      const page = await deps.usage.sum(principal.tenantId, question, left);
      // There is nobody to answer.
      if (!page) return void reply.hijack();
      const { rows, total, more } = page;
      const last = more ? rows.at(-1) : undefined;
      return ok(request, {
        from: period.from.toISOString(),
        to: period.to.toISOString(),
        groupBy: [...by],
        total,
        usage: rows.map((row) => presentRow(row, by)),
        nextCursor: last ? `${last.day}~${last.toolId ?? ""}` : null,
      });
    },
  );
}

function presentRow({ day, toolId, toolName, ...sums }: UsageRow, by: readonly UsageGroup[]) {
  const tool = by.includes("tool") ? { toolId, toolName } : {};
  return { ...(by.includes("day") ? { day } : {}), ...tool, ...sums };
}

/** Throws `request.invalid` for one of a page that was grouped otherwise. Dry runs have no tool. */
function readMark(cursor: string, by: readonly UsageGroup[]): UsageMark {
  const [day = "", toolId = ""] = cursor.split("~");
  if ((day !== "") === by.includes("day") && (toolId === "" || by.includes("tool"))) return { day, toolId };
  throw invalid("cursor", "must be the nextCursor of the page before, with the same groupBy");
}
