import { serviceConfigs, tenantScrubRules } from "@bulkhead/tenants";
import type {
  ConfigStore,
  Scrubbers,
  SignalBus,
  ScrubCountStore,
  ScrubRuleStore,
  Vault,
} from "@bulkhead/core";
import type { Report } from "@bulkhead/executions";
import { openScrubRuleCache } from "./scrub-rule-cache.ts";
import { openScrubTally } from "./scrub-tally.ts";

interface SecretStores {
  configServices: Pick<ConfigStore, "find">;
  scrubRules: Pick<ScrubRuleStore, "list">;
  scrubCounts: Pick<ScrubCountStore, "add">;
}

interface KeepSecretsDeps {
  database: SecretStores;
  vault: Pick<Vault, "open">;
  bus: Pick<SignalBus, "connected" | "subscribe">;
  scrubbers: Scrubbers;
  report: Report;
}

/** Opens the secrets for runs, and the scrubbers that cover them. */
export function keepSecrets({ database, vault, bus, scrubbers, report }: KeepSecretsDeps) {
  const { configServices, scrubRules, scrubCounts } = database;
  const rules = openScrubRuleCache({ scrubRules, bus });
  const counts = openScrubTally({ scrubCounts, report });
  return {
    forRuns: {
      configs: serviceConfigs({ configServices, vault }),
      vault,
      scrubbers,
      scrubRules: tenantScrubRules({ scrubRules: rules, vault }),
      tally: counts.tally,
    },
    close: async (): Promise<void> => {
      await rules.close();
      await counts.close();
    },
  };
}
