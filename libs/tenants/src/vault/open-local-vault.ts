import type { DataKeyStore } from "@bulkhead/core";
import { admitMasterKeys } from "./admit-master-keys.ts";
import { openLocalKeys, type MasterKeys } from "./local-keys.ts";
import { openVault, type OpenedVault } from "./open-vault.ts";
import { wrapInherited } from "./wrap-inherited.ts";

/**
 * The vault over the master keys of the settings, for the start of a process. Throws a SettingsError with the remedy if
 * they are not those of the database.
 */
export async function openLocalVault(masterKeys: MasterKeys, dataKeys: DataKeyStore): Promise<OpenedVault> {
  const keys = openLocalKeys(masterKeys);
  await admitMasterKeys({ keys, dataKeys });
  await wrapInherited({ keys, dataKeys });
  return openVault({ keys, dataKeys });
}
