import { RevocableCache } from "@bulkhead/process";
import type { ScrubRuleStore, SignalBus } from "@bulkhead/core";

const RULES = { entriesMax: 2_000, ttlMs: 5_000 };
/** UTF-16 units of all rules that are kept. */
const CHARS_MAX = 16 * 1024 * 1024;
/** A tenant's rules weigh so much where there are none. */
const ENTRY_CHARS = 256;

export interface ScrubRuleCacheDeps {
  scrubRules: Pick<ScrubRuleStore, "list">;
  bus: Pick<SignalBus, "connected" | "subscribe">;
}

/** Lists tenants' scrub rules; answers from memory until they change. Values stay sealed in it. */
export function openScrubRuleCache({ scrubRules, bus }: ScrubRuleCacheDeps) {
  const cache = new RevocableCache<Awaited<ReturnType<ScrubRuleStore["list"]>>>({
    ...RULES,
    trusted: () => bus.connected,
    weight: {
      max: CHARS_MAX,
      of: (key, rules) => key.length + ENTRY_CHARS + (rules.length > 0 ? JSON.stringify(rules).length : 0),
    },
  });
  const unsubscribe = bus.subscribe((signal) => {
    if (signal.type === "forget" && signal.kind === "tenant") cache.revoke(signal.id);
  });
  return {
    list: async (tenantId: string) =>
      (await cache.get(tenantId, async () => ({
        value: await scrubRules.list(tenantId),
        tags: [tenantId],
      }))) ?? [],
    close: async (): Promise<void> => {
      unsubscribe();
      cache.clear();
    },
  };
}
