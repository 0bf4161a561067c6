import { APPROVAL_RULES_MAX, COMMAND_RULES_MAX, type NewRule, Fault } from "@bulkhead/core";
import type { Prisma } from "../generated/client.ts";

/**
 * Puts a rule before those of the tenant's settings, once, within the transaction that allows a call. In SQL, so that of two
 * changes of the settings at once neither is lost. Throws `approval.too_many_rules`.
 */
export async function addRule(
  transaction: Prisma.TransactionClient,
  tenantId: string,
  added: NewRule,
): Promise<void> {
  const [field, rule, max] =
    "command" in added
      ? (["commands", added.command, COMMAND_RULES_MAX] as const)
      : (["rules", added.rule, APPROVAL_RULES_MAX] as const);
  const list = JSON.stringify([rule]);
  const [row] = await transaction.$queryRaw<{ count: number }[]>`
    UPDATE tenants SET updated_at = now(), settings = settings || jsonb_build_object('approval',
      coalesce(settings->'approval', '{}') || jsonb_build_object(${field}::text,
        CASE WHEN coalesce(settings->'approval'->${field}::text, '[]') @> ${list}::jsonb THEN settings->'approval'->${field}::text
        ELSE ${list}::jsonb || coalesce(settings->'approval'->${field}::text, '[]') END))
    WHERE id = ${tenantId}
    RETURNING jsonb_array_length(settings->'approval'->${field}::text) AS count`;
  if ((row?.count ?? 0) > max)
    throw new Fault("approval.too_many_rules", {
      detail: `The settings hold ${max} rules (approval.${field}) already; take some out, or allow the call once.`,
    });
}
