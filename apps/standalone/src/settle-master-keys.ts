import { openDatabase } from "@bulkhead/postgres";
import { openLocalKeys, openLocalVault, rotateKeys, type MasterKeys } from "@bulkhead/tenants/vault";

export interface MasterKeysStart {
  databaseUrl: string;
  /** Whether this program started it: then nobody else can have a process on it. */
  isOwnDatabase: boolean;
  masterKeys: MasterKeys;
  say: (line: string) => void;
  /** Ends a rotation after the step under way. */
  signal: AbortSignal;
}

const POOL_MAX = 2;

/**
 * Throws a SettingsError when the master keys are not those of the database. With old ones given, wraps all data keys under
 * the new one, where no other process could be without it.
 */
export async function settleMasterKeys(start: MasterKeysStart): Promise<void> {
  const { databaseUrl, isOwnDatabase, masterKeys, say, signal } = start;
  const database = await openDatabase({ url: databaseUrl, poolMax: POOL_MAX });
  const { dataKeys } = database;
  try {
    await openLocalVault(masterKeys, dataKeys);
    if (masterKeys.old.length === 0) return;
    if (!isOwnDatabase)
      return say(
        "old master keys are still in use: npm run rotate-keys, with this DATABASE_URL and both master keys, ends that once " +
          "every process has the new one",
      );
    const keys = openLocalKeys(masterKeys);
    const tell = ({ done, total }: { done: number; total: number }): void =>
      say(`${done} of ${total} data keys are wrapped under the new master key`);
    const { unreadable, complete } = await rotateKeys({ keys, dataKeys, tell, stopping: signal });
    if (unreadable.length > 0) say(`data keys that can't be unwrapped: ${unreadable.join(", ")}`);
    if (complete) say("the new master key wraps everything: the old ones are needed for old backups only");
  } finally {
    await database.close();
  }
}
