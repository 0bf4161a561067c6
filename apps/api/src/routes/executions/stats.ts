import { ExecutionStats, ExecutionStatsQuery } from "@bulkhead/contracts";
import type { Clock, ExecutionStats as Stats, StatsBucket, StatsGroup } from "@bulkhead/core";
import { requireTenant } from "@bulkhead/tenants";
import { ok } from "../../edge/envelope.ts";
import { leaving } from "../../edge/leaving.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { BUSY, TOO_MUCH } from "../usage/usage.ts";
import { readFilter, type ToolFilterDeps } from "@bulkhead/executions";
import { statsPeriod } from "./stats-period.ts";

export type StatsRouteDeps = ToolFilterDeps & { executionStats: Stats; clock: Clock };

/** Counts a tenant's executions over time. */
export function statsRoute(app: ApiScope, deps: StatsRouteDeps): void {
  app.get(
    "/executions/stats",
    {
      config: { action: "executions.read" },
      schema: {
        tags: ["executions"],
        summary: "Count executions over time, with percentiles of how long they took",
        description:
          "By the time of their acceptance. The percentiles are of `durationMs`, the time from acceptance to the end, of those that have ended; filters choose, such as `status=succeeded`.",
        querystring: ExecutionStatsQuery,
        response: { ...answers({ 200: ExecutionStats }), 422: TOO_MUCH, 429: BUSY },
      },
    },
    async (request, reply) => {
      const left = leaving(reply);
      const { bucket, groupBy = null, ...asked } = request.query;
      const principal = requireTenant(request.principal, "executions.read");
      const period = statsPeriod({ ...asked, bucket }, deps.clock());
      const filter = await readFilter(deps, principal, asked);
      const question = { ...period, bucket, groupBy };
      const found =
        filter === null
          ? []
          : await deps.executionStats.count(principal.tenantId, { ...question, filter }, left);
      // There is nobody to answer.
      if (!found) return void reply.hijack();
      return ok(request, {
        ...question,
        from: period.from.toISOString(),
        to: period.to.toISOString(),
        buckets: found.map((one) => presentBucket(one, groupBy)),
      });
    },
  );
}

const presentBucket = ({ at, key, name, ...counted }: StatsBucket, groupBy: StatsGroup | null) => ({
  at: at.toISOString(),
  group: groupBy === null ? undefined : { key, name: name ?? undefined },
  ...counted,
});
