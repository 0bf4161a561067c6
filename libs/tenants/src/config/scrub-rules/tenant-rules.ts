import {
  ruleKind,
  scrubPurpose,
  type Needle,
  type ScrubRuleStore,
  type Scrubbers,
  type TenantScrubRules,
  type Vault,
} from "@bulkhead/core";

export interface TenantRulesDeps {
  /** May answer from a cache, which may hold the sealed texts. */
  scrubRules: Pick<ScrubRuleStore, "list">;
  vault: Pick<Vault, "open">;
}

/** The rules of tenants as a scrubber takes them; values are opened anew each time. */
export const tenantScrubRules = ({ scrubRules, vault }: TenantRulesDeps): TenantScrubRules => ({
  async open(tenantId) {
    const rules = await scrubRules.list(tenantId);
    const needles = rules.flatMap(({ id, sealed, wholeWordsOnly }) =>
      sealed === null
        ? []
        : [
            vault
              .open(sealed, { tenantId, purpose: scrubPurpose(id) })
              .then((value): Needle => ({ value, wholeWordsOnly })),
          ],
    );
    const patterns = rules.flatMap(({ name, pattern }) =>
      pattern === null ? [] : [{ name: ruleKind(name), source: pattern }],
    );
    return { needles: await Promise.all(needles), patterns };
  },
});

/**
 * A person's reason with what looks like a secret, and the values and patterns of the tenant's rules, covered: others read it.
 * Throws `vault.unreadable` where a rule's value can't be opened.
 */
export async function coverReason(
  { scrubbers, ...deps }: TenantRulesDeps & { scrubbers: Scrubbers },
  tenantId: string,
  reason: string | undefined,
): Promise<string | undefined> {
  if (reason === undefined) return undefined;
  return scrubbers.open(await tenantScrubRules(deps).open(tenantId)).text(reason);
}
