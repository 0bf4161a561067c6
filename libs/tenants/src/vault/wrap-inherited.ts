import type { DataKeyStore, InheritedKey, Rewrapping } from "@bulkhead/core";
import type { LocalKeys } from "./local-keys.ts";

export interface WrapInheritedDeps {
  keys: LocalKeys;
  dataKeys: Pick<DataKeyStore, "listInherited" | "rewrap">;
}

const KEYS_PER_STEP_MAX = 500;

/** Turns tenants' keys of the first version into data keys. Several processes may do it at once, and again. */
export async function wrapInherited({ keys, dataKeys }: WrapInheritedDeps): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const page: InheritedKey[] = await dataKeys.listInherited({ after, countMax: KEYS_PER_STEP_MAX });
    const last = page.at(-1);
    if (!last) return;
    await dataKeys.rewrap(await Promise.all(page.map((key) => wrap(keys, key))));
    after = last.id;
  }
}

async function wrap(keys: LocalKeys, key: InheritedKey): Promise<Rewrapping> {
  const { id, tenantId, use } = key;
  const bytes = keys.inherit(key);
  const wrapped = await keys.wrap(bytes, { tenantId, dataKeyId: id, use });
  bytes.fill(0);
  return { id, before: null, wrapped, masterKeyId: keys.currentKeyId };
}
