import { resolve } from "node:path";
import { SettingsError } from "@bulkhead/process/settings";
import { replaceKeptMasterKey } from "@bulkhead/tenants/vault";

/** Replaces the master key that `npm start` keeps in its data folder, and answers the next step. */
export async function rotateInFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  if (await replaceKeptMasterKey(folder))
    return (
      `${folder} has a new master key, and the one before is added to master-key-old: keep that with the backups. ` +
      "Now stop Bulkhead, if it runs, and: npm start. It wraps all data keys under the new one before it serves"
    );
  throw new SettingsError([
    `DATABASE_URL: is not set, and DATA_DIR ${folder} has no master key either. Say which database, with ` +
      "BULKHEAD_MASTER_KEY and BULKHEAD_MASTER_KEY_OLD, or which data folder of npm start, with DATA_DIR",
  ]);
}
