import { type DataKey, type DataKeyStore, type KeyService, type Rewrapping, Fault } from "@bulkhead/core";
import { SettingsError } from "@bulkhead/process/settings";

export interface RotateDeps {
  keys: KeyService;
  dataKeys: Pick<
    DataKeyStore,
    "listMasterKeys" | "countByMasterKey" | "listWrappedByOthers" | "rewrap" | "retireOtherMasterKeys"
  >;
  /** Told after each step. */
  tell: (progress: { done: number; total: number }) => void;
  /** Ends it after the step under way. */
  stopping: AbortSignal;
}

export interface Rotation {
  rewrapped: number;
  /** Ids of data keys that were changed, or are another tenant's; they stay as they are. */
  unreadable: readonly string[];
  /** Whether the current master key wraps all there is, so that the old ones may go. */
  complete: boolean;
}

const KEYS_PER_STEP_MAX = 100;

/**
 * Wraps under the current master key all data keys that others wrap, step by step. Each step is one statement and leaves
 * rows alone that changed meanwhile: it may be stopped and repeated, run twice at once, and run while everything else
 * does. Throws a SettingsError when a master key is missing, or when the current one is only known here.
 */
export async function rotateKeys({ keys, dataKeys, tell, stopping }: RotateDeps): Promise<Rotation> {
  const total = await countOthers(keys, dataKeys);
  const unreadable: string[] = [];
  let [done, rewrapped] = [0, 0];
  let after: string | null = null;
  while (!stopping.aborted) {
    const page: DataKey[] = await dataKeys.listWrappedByOthers(keys.currentKeyId, {
      after,
      countMax: KEYS_PER_STEP_MAX,
    });
    const last = page.at(-1);
    if (!last) break;
    const wrappings = await Promise.all(page.map((key) => rewrap(keys, key)));
    rewrapped += await dataKeys.rewrap(wrappings.filter((wrapping) => wrapping !== null));
    unreadable.push(...page.filter((_, at) => wrappings[at] === null).map(({ id }) => id));
    done += page.length;
    tell({ done, total: Math.max(done, total) });
    after = last.id;
  }
  return { rewrapped, unreadable, complete: await dataKeys.retireOtherMasterKeys(keys.currentKeyId) };
}

async function countOthers(
  { currentKeyId, keyIds }: KeyService,
  dataKeys: RotateDeps["dataKeys"],
): Promise<number> {
  // A key that only the operator's shell knows would take the secrets from every process, and from all if it were lost.
  if (!(await dataKeys.listMasterKeys()).includes(currentKeyId))
    throw new SettingsError([
      `BULKHEAD_MASTER_KEY: no API or worker has started with master key ${currentKeyId} yet. Start all of them with it, ` +
        "and with the one before in BULKHEAD_MASTER_KEY_OLD; then run this again",
    ]);
  const others = [...(await dataKeys.countByMasterKey())].filter(([id]) => id !== currentKeyId);
  const missing = others.flatMap(([id]) => (keyIds.includes(id) ? [] : [id]));
  if (missing.length > 0)
    throw new SettingsError([
      `BULKHEAD_MASTER_KEY_OLD: lacks master key ${missing.join(", ")}, which wraps data keys`,
    ]);
  return others.reduce((sum, [, count]) => sum + count, 0);
}

/** Null where it can't be unwrapped, and never will be. */
async function rewrap(keys: KeyService, key: DataKey): Promise<Rewrapping | null> {
  const place = { tenantId: key.tenantId, dataKeyId: key.id, use: key.use };
  try {
    const bytes = await keys.unwrap(key.wrapped, key.masterKeyId, place);
    const wrapped = await keys.wrap(bytes, place);
    bytes.fill(0);
    return { id: key.id, before: key.wrapped, wrapped, masterKeyId: keys.currentKeyId };
  } catch (cause) {
    if (cause instanceof Fault && cause.code === "vault.unreadable") return null;
    throw cause;
  }
}
