import type { ApiKeyStore, Clock } from "@bulkhead/core";
import { hashApiKey, KeyUses, type AuthenticateDeps, type KeyUsesDeps } from "@bulkhead/tenants";
import { openAccessKeys } from "@bulkhead/tenants/vault";
import type { ApiConfig } from "./config.ts";

export interface OpenAccessInput {
  config: Pick<ApiConfig, "BULKHEAD_ADMIN_KEY" | "BULKHEAD_MASTER_KEY" | "BULKHEAD_MASTER_KEY_OLD">;
  apiKeys: ApiKeyStore;
  principals: AuthenticateDeps["principals"];
  clock: Clock;
  report: KeyUsesDeps["report"];
}

/** Opens what tells who asks: keys, access tokens and sessions. Closing it writes down which keys were used. */
export function openAccess({ config, apiKeys, principals, clock, report }: OpenAccessInput) {
  const adminKey = config.BULKHEAD_ADMIN_KEY;
  const keyUses = new KeyUses({ apiKeys, clock, report });
  const access: AuthenticateDeps = {
    apiKeys,
    principals,
    adminKeyHash: adminKey ? hashApiKey(adminKey.reveal()) : null,
    accessKeys: openAccessKeys({ current: config.BULKHEAD_MASTER_KEY, old: config.BULKHEAD_MASTER_KEY_OLD }),
    keyUses,
    clock,
  };
  return { access, close: () => keyUses.close() };
}
