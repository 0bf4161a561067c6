import {
  configValueFault,
  newScrubRuleId,
  SCRUB_RULES_MAX,
  scrubPurpose,
  type AuditLog,
  type Clock,
  type PatternChecker,
  type ScrubCount,
  type ScrubCountStore,
  type ScrubRule,
  type ScrubRuleStore,
  type SignalBus,
  type TenantPrincipal,
  type Vault,
  Fault,
} from "@bulkhead/core";
import { weaknessOf } from "../entries/read-data.ts";
import { invalidInput } from "../input-fault.ts";

export interface ScrubRuleDeps {
  scrubRules: ScrubRuleStore;
  scrubCounts: Pick<ScrubCountStore, "list">;
  patterns: PatternChecker;
  vault: Pick<Vault, "seal">;
  bus: Pick<SignalBus, "publish">;
  audit: AuditLog;
  clock: Clock;
}

/** Either of a pattern or of a value. */
export type CreateRuleRequest = { name: string; allowWeak: boolean } & (
  | { pattern: string }
  | { value: string }
);

/**
 * Adds a rule for all output of the tenant's executions. Throws `request.invalid` with the path of a pattern that could
 * take long or of a value that occurs in ordinary text (unless `allowWeak`), `scrub_rule.name_taken` and
 * `scrub_rule.too_many`.
 */
export async function createScrubRule(
  deps: ScrubRuleDeps,
  principal: TenantPrincipal,
  request: CreateRuleRequest,
): Promise<ScrubRule> {
  const { tenantId, keyId } = principal;
  const id = newScrubRuleId();
  const isWeak = "value" in request && requireCoverable(request);
  if ("pattern" in request) requireLinear(deps.patterns, request.pattern);
  const sealed =
    "value" in request ? await deps.vault.seal(request.value, { tenantId, purpose: scrubPurpose(id) }) : null;
  const rule = await deps.scrubRules.create(
    {
      id,
      tenantId,
      name: request.name,
      pattern: "pattern" in request ? request.pattern : null,
      wholeWordsOnly: isWeak,
      createdBy: keyId,
      createdAt: deps.clock(),
    },
    sealed,
    SCRUB_RULES_MAX,
  );
  if (!rule) {
    throw new Fault("scrub_rule.too_many", { detail: `A tenant may have ${SCRUB_RULES_MAX} scrub rules.` });
  }
  await tellChange(deps, principal, "scrub_rule.created", rule);
  return rule;
}

function requireLinear(patterns: PatternChecker, source: string): void {
  const faults = patterns.check(source).map((message) => ({ path: "pattern", message }));
  if (faults.length > 0) throw invalidInput(faults);
}

/** Whether the value is covered as a whole word only. */
function requireCoverable({ value, allowWeak }: { value: string; allowWeak: boolean }): boolean {
  const wrong = configValueFault({ type: "secret" }, value);
  if (wrong !== null) throw invalidInput([{ path: "value", message: wrong }]);
  const weakness = weaknessOf(value);
  if (weakness !== null && !allowWeak) {
    const advice = "say allowWeak: true to have it covered only where it stands as a whole word";
    throw invalidInput([{ path: "value", message: `${weakness}; ${advice}` }]);
  }
  return weakness !== null;
}

/** The rules, oldest first, with the counts of covered values; never a value. */
export async function listScrubRules(
  deps: Pick<ScrubRuleDeps, "scrubRules" | "scrubCounts">,
  { tenantId }: TenantPrincipal,
): Promise<{ rules: ScrubRule[]; counts: ScrubCount[] }> {
  const [rules, counts] = await Promise.all([
    deps.scrubRules.list(tenantId),
    deps.scrubCounts.list(tenantId),
  ]);
  return { rules: rules.map(({ sealed: _sealed, ...rule }) => rule), counts };
}

/** The rule covers nothing from the next execution on. Throws `scrub_rule.not_found`. */
export async function deleteScrubRule(
  deps: Pick<ScrubRuleDeps, "scrubRules" | "bus" | "audit">,
  principal: TenantPrincipal,
  id: string,
): Promise<void> {
  const rule = await deps.scrubRules.delete(principal.tenantId, id);
  if (!rule) {
    throw new Fault("scrub_rule.not_found", {
      detail: "There is no scrub rule with this id; GET /api/v1/scrub-rules lists yours.",
    });
  }
  await tellChange(deps, principal, "scrub_rule.deleted", rule);
}

/** Tells all caches of the tenant's rules to read them anew. */
async function tellChange(
  { bus, audit }: Pick<ScrubRuleDeps, "bus" | "audit">,
  principal: TenantPrincipal,
  action: "scrub_rule.created" | "scrub_rule.deleted",
  { id, name, pattern }: ScrubRule,
): Promise<void> {
  const details = { kind: pattern === null ? "value" : "pattern" };
  await audit.record(principal, principal.tenantId, { action, id, name, details });
  await bus.publish({ type: "forget", kind: "tenant", id: principal.tenantId, tenantId: principal.tenantId });
}
