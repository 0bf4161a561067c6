import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { apiKey, isMasterKey, Secret } from "@bulkhead/process/settings";
import { makeMasterKey, readOldMasterKeys, writeKeyFile } from "@bulkhead/tenants/vault";
import { StartRefusal } from "./start-refusal.ts";

const MASTER_KEY_BYTES = 32;

interface KeyKind {
  make(): string;
  isKey(text: string): boolean;
  /** Completes "… holds no". */
  what: string;
}

/** The same form as every key that Bulkhead makes: `bh_` and 256 random bits. */
const API_KEY: KeyKind = {
  make: () => `bh_${randomBytes(32).toString("base64url")}`,
  isKey: (text) => apiKey.safeParse(text).success,
  what: "key of 32 to 4,096 characters of ASCII in one line; remove it to get a new one",
};

/** Its file must not be removed lightly: every text that it sealed would be lost. */
export const MASTER_KEY: KeyKind = {
  make: makeMasterKey,
  isKey: isMasterKey,
  what: `key of ${MASTER_KEY_BYTES} bytes in base64; put its former key back, or all texts sealed under it are lost`,
};

/**
 * The key of the settings, which is never written down, or the one kept in `<dataDir>/<name>` (mode 0600), which is made
 * on the first start. Throws a StartRefusal when that file holds an impossible key.
 */
export async function keepKey(
  dataDir: string,
  name: string,
  set: Secret | undefined,
  kind = API_KEY,
): Promise<Secret> {
  if (set !== undefined) return set;
  const file = join(dataDir, name);
  const kept = await readKept(file);
  if (kept !== null) {
    if (kind.isKey(kept)) return new Secret(kept);
    throw new StartRefusal(`${file} holds no ${kind.what}.`);
  }
  const made = kind.make();
  await writeKeyFile(file, made);
  return new Secret(made);
}

/** The master keys before: those of the settings, then those kept in `<dataDir>/master-key-old`, the newest first. */
export const keptOldMasterKeys = async (dataDir: string, set: readonly Secret[]): Promise<Secret[]> => [
  ...set,
  ...(await readOldMasterKeys(dataDir)),
];

async function readKept(file: string): Promise<string | null> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
    throw cause;
  }
}
