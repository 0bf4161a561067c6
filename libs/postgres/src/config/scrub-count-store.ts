import type { ScrubCountStore } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";

/** How often what was covered, in PostgreSQL. What it throws is a Fault. */
export const openScrubCountStore = (client: PrismaClient): ScrubCountStore => ({
  add: (tenantId, counts) =>
    faulting(async () => {
      // In the order of the kinds, so that two at once can't wait for each other in a circle.
      const kinds = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => (a < b ? -1 : 1));
      if (kinds.length === 0) return;
      // In SQL, since a count rises where it is, for a tenant that isn't being deleted.
      await client.$executeRaw`
        INSERT INTO scrub_counts AS c (tenant_id, kind, count)
        SELECT t.id, n.kind, n.count FROM tenants AS t CROSS JOIN
          unnest(${kinds.map(([kind]) => kind)}::text[], ${kinds.map(([, count]) => count)}::bigint[]) AS n (kind, count)
        WHERE t.id = ${tenantId} AND t.deleting_at IS NULL
        ON CONFLICT (tenant_id, kind) DO UPDATE SET count = c.count + EXCLUDED.count`;
    }),
  list: (tenantId) =>
    faulting(async () => {
      const orderBy = [{ count: "desc" as const }, { kind: "asc" as const }];
      const rows = await client.scrubCount.findMany({ where: { tenantId }, orderBy });
      return rows.map(({ kind, count }) => ({ kind, count: Number(count) }));
    }),
});
