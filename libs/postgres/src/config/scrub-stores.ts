import { type ScrubCountStore, type ScrubRule, type ScrubRuleStore, Fault } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting, nullIfGone, violatedIndexOf } from "../sql-trouble.ts";

/** A tenant's own rules of what to cover, in PostgreSQL; values only as they were sealed. What it throws is a Fault. */
export const openScrubRuleStore = (client: PrismaClient): ScrubRuleStore => ({
  create: (rule, sealed, rulesMax) => faulting(() => createRule(client, rule, sealed, rulesMax)),
  list: (tenantId) =>
    faulting(() =>
      client.scrubRule.findMany({ where: { tenantId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] }),
    ),
  delete: (tenantId, id) =>
    faulting(() => nullIfGone(client.scrubRule.delete({ where: { id, tenantId }, omit: { sealed: true } }))),
});

/** Those who make one at the same moment may pass `rulesMax` by their number. */
async function createRule(
  client: PrismaClient,
  rule: ScrubRule,
  sealed: string | null,
  rulesMax: number,
): Promise<ScrubRule | null> {
  if ((await client.scrubRule.count({ where: { tenantId: rule.tenantId } })) >= rulesMax) return null;
  try {
    return await client.scrubRule.create({ data: { ...rule, sealed }, omit: { sealed: true } });
  } catch (cause) {
    if (violatedIndexOf(cause) !== "scrub_rules_tenant_id_name_key") throw cause;
    throw new Fault("scrub_rule.name_taken", {
      detail: `There is a scrub rule ${rule.name} already; delete it first.`,
      cause,
    });
  }
}

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
