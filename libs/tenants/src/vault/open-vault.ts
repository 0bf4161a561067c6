import type { SealedFor, Vault } from "@bulkhead/core";
import { deriveKey } from "./derive-key.ts";
import { FIRST_SEAL_USE, firstDerivedUse } from "./first-version.ts";
import { openText, readSealed, sealText, type SealedText } from "./sealed-text.ts";
import { TenantKeys, type OpenedKey, type TenantKeysDeps } from "./tenant-keys.ts";
import { unreadable } from "./unreadable.ts";

/** The uses of a tenant's data keys; permanent. */
const SEAL_USE = "seal";
const DERIVE_USE = "derive";

export interface OpenedVault extends Vault {
  /** Drops this tenant's unwrapped keys: a key that has gone from the store opens nothing any more. */
  forget(tenantId: string): void;
}

/**
 * A vault over each tenant's own data keys, which the store keeps wrapped and this process keeps unwrapped for minutes.
 */
export function openVault(deps: TenantKeysDeps): OpenedVault {
  const tenantKeys = new TenantKeys(deps);

  const seal = async (plain: string, place: SealedFor): Promise<string> => {
    const { id, key } = await tenantKeys.obtain(place.tenantId, SEAL_USE);
    return sealText(key, id, plain, place);
  };
  const keyOf = ({ version, keyId }: SealedText, tenantId: string): Promise<OpenedKey | null> =>
    version === "v1" ? tenantKeys.findForUse(tenantId, FIRST_SEAL_USE) : tenantKeys.findById(tenantId, keyId);
  const open = async (sealed: string, place: SealedFor): Promise<string> => {
    const text = readSealed(sealed);
    const found = await keyOf(text, place.tenantId);
    if (!found) throw unreadable("the tenant has no such key");
    return openText(found.key, text, place);
  };

  return {
    seal,
    open,
    forget: (tenantId) => tenantKeys.forget(tenantId),
    reseal: async (sealed, from, to) => seal(await open(sealed, from), to),
    derive: async ({ tenantId, purpose }, generation) => {
      const first = await tenantKeys.findForUse(tenantId, firstDerivedUse(purpose, generation));
      if (first) return first.key.export();
      const { key } = await tenantKeys.obtain(tenantId, DERIVE_USE);
      return deriveKey(key, ["derived", purpose, tenantId, String(generation)]);
    },
  };
}
