import { type ScrubRule, type ScrubRuleStore, Fault } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting, violatedIndexOf } from "../sql-trouble.ts";

interface RuleRow {
  id: string;
  tenant_id: string;
  name: string;
  pattern: string | null;
  sealed: string | null;
  whole_words_only: boolean;
  created_by: string;
  created_at: Date;
}

/** A tenant's own rules of what to cover, in PostgreSQL; values only as they were sealed. What it throws is a Fault. */
export const openScrubRuleStore = (client: PrismaClient): ScrubRuleStore => ({
  create: (rule, sealed, rulesMax) => faulting(() => createRule(client, rule, sealed, rulesMax)),
  list: (tenantId) =>
    faulting(async () => {
      const rows = await client.$queryRaw<RuleRow[]>`
        SELECT * FROM scrub_rules WHERE tenant_id = ${tenantId} ORDER BY created_at, id`;
      return rows.map((row) => ({ ...toRule(row), sealed: row.sealed }));
    }),
  delete: (tenantId, id) =>
    faulting(async () => {
      const [row] = await client.$queryRaw<RuleRow[]>`
        DELETE FROM scrub_rules WHERE tenant_id = ${tenantId} AND id = ${id} RETURNING *`;
      return row ? toRule(row) : null;
    }),
});

/** Those who make one at the same moment may pass `rulesMax` by their number. */
async function createRule(
  client: PrismaClient,
  rule: ScrubRule,
  sealed: string | null,
  rulesMax: number,
): Promise<ScrubRule | null> {
  try {
    const [row] = await client.$queryRaw<RuleRow[]>`
      INSERT INTO scrub_rules (id, tenant_id, name, pattern, sealed, whole_words_only, created_by, created_at)
      SELECT ${rule.id}, ${rule.tenantId}, ${rule.name}, ${rule.pattern}::text, ${sealed}::text,
        ${rule.wholeWordsOnly}::boolean, ${rule.createdBy}, ${rule.createdAt}::timestamptz
      WHERE (SELECT count(*) FROM scrub_rules WHERE tenant_id = ${rule.tenantId}) < ${rulesMax}::int
      RETURNING *`;
    return row ? toRule(row) : null;
  } catch (cause) {
    if (violatedIndexOf(cause) !== "scrub_rules_tenant_id_name_key") throw cause;
    throw new Fault("scrub_rule.name_taken", {
      detail: `There is a scrub rule ${rule.name} already; delete it first.`,
      cause,
    });
  }
}

const toRule = (row: RuleRow): ScrubRule => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  pattern: row.pattern,
  wholeWordsOnly: row.whole_words_only,
  createdBy: row.created_by,
  createdAt: row.created_at,
});
