import { type ScrubRule, type ScrubRuleStore, Fault } from "@bulkhead/core";
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
