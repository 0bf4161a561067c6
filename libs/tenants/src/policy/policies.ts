import { RevocableCache } from "@bulkhead/process";
import type { Policy, PolicyStore } from "@bulkhead/core";

/** UTF-16 units of all documents that a process keeps as JSON. */
const CHARS_MAX = 32 * 1024 * 1024;
const ENTRIES_MAX = 10_000;
/** A version never changes: it is let go of for its room alone. */
const KEPT_MS = 3_600_000;

/** Nobody knows what a tenant that is gone allowed. */
const NOTHING = { forbid: ["*"] };

/** Reads tenants' documents, each version once. */
export interface Policies {
  /** The tenant's document in this version or a later one; null where the version is 0: it has none, and none is read. */
  of(tenantId: string, version: number): Promise<Policy | null>;
}

export function openPolicies({ policies }: { policies: Pick<PolicyStore, "find"> }): Policies {
  const kept = new RevocableCache<Policy>({
    entriesMax: ENTRIES_MAX,
    ttlMs: KEPT_MS,
    trusted: () => true,
    weight: {
      max: CHARS_MAX,
      of: (key, { document }) => key.length + JSON.stringify(document).length,
    },
  });
  return {
    of: async (tenantId, version) => {
      if (version === 0) return null;
      return kept.get(`${tenantId}@${version}`, async () => ({
        value: (await policies.find(tenantId)) ?? { version, document: NOTHING },
        tags: [],
      }));
    },
  };
}
