import { RevocableCache } from "@bulkhead/process";
import type { Policy, PolicyStore } from "@bulkhead/core";

/** UTF-16 units of all policies that a process keeps as JSON. */
const CHARS_MAX = 32 * 1024 * 1024;
const ENTRIES_MAX = 10_000;
/** A version never changes: it is let go of for its room alone. */
const KEPT_MS = 3_600_000;

/** Nobody knows what a tenant that is gone allowed. */
const NOTHING = { document: { forbid: ["*"] }, mcpVersion: 0, mcp: {} };

/** Reads tenants' documents and grants, each version once. */
export interface Policies {
  /** The tenant's policy in this version of a principal's or a later one; null where it is 0: there is none, and none is read. */
  of(tenantId: string, version: number): Promise<Policy | null>;
}

export function openPolicies({ policies }: { policies: Pick<PolicyStore, "find"> }): Policies {
  const kept = new RevocableCache<Policy>({
    entriesMax: ENTRIES_MAX,
    ttlMs: KEPT_MS,
    trusted: () => true,
    weight: {
      max: CHARS_MAX,
      of: (key, { document, mcp }) => key.length + JSON.stringify([document, mcp]).length,
    },
  });
  return {
    of: async (tenantId, version) => {
      if (version === 0) return null;
      return kept.get(`${tenantId}@${version}`, async () => ({
        value: (await policies.find(tenantId)) ?? { version, ...NOTHING },
        tags: [],
      }));
    },
  };
}
