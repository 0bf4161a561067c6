import type { DataKeyStore, KeyService } from "@bulkhead/core";
import { SettingsError } from "@bulkhead/process/settings";

export interface AdmitDeps {
  keys: Pick<KeyService, "currentKeyId" | "keyIds">;
  dataKeys: Pick<DataKeyStore, "countByMasterKey" | "listMasterKeys" | "admitMasterKeys">;
}

/**
 * Called at the start: throws a SettingsError that names the settings and the remedy if the database holds data keys that
 * these master keys don't unwrap, or was used with others only. A database that no process has used accepts any key.
 */
export async function admitMasterKeys({ keys, dataKeys }: AdmitDeps): Promise<void> {
  const inUse = [...(await dataKeys.countByMasterKey()).keys()];
  const missing = inUse.filter((id) => !keys.keyIds.includes(id));
  if (missing.length > 0) throw wrongKeys(missing, keys.keyIds);
  if (!(await dataKeys.admitMasterKeys(keys.keyIds)))
    throw wrongKeys(await dataKeys.listMasterKeys(), keys.keyIds);
}

const wrongKeys = (wanted: readonly string[], held: readonly string[]): SettingsError =>
  new SettingsError([
    `BULKHEAD_MASTER_KEY: is not the one of this database, whose secrets are sealed under master key ${wanted.join(", ")}; ` +
      `given: ${held.join(", ")}. Put the key back that was used before. To replace it, put the new one here and the one ` +
      "before into BULKHEAD_MASTER_KEY_OLD, in every API and worker, and then run: npm run rotate-keys",
  ]);
