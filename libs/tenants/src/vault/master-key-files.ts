import { randomBytes } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMasterKey, Secret, SettingsError } from "@bulkhead/process/settings";

const MASTER_KEY_BYTES = 32;
const currentFile = (folder: string): string => join(folder, "master-key");
const oldFile = (folder: string): string => join(folder, "master-key-old");

/** A new master key, as the settings take it. */
export const makeMasterKey = (): string => randomBytes(MASTER_KEY_BYTES).toString("base64");

/** Puts a key into a file for this user only, on the disk by the end. A crash in between leaves the former file. */
export async function writeKeyFile(file: string, key: string): Promise<void> {
  // A name of its own: two that write at once must not rename each other's halves into place.
  const made = `${file}.new-${randomBytes(6).toString("hex")}`;
  await writeSynced(made, "wx", `${key}\n`);
  await rename(made, file);
  await syncFolder(dirname(file));
}

/** The master keys of `<folder>/master-key-old`, the newest first. Throws a SettingsError when it holds anything else. */
export async function readOldMasterKeys(folder: string): Promise<Secret[]> {
  const lines = ((await readIfThere(oldFile(folder))) ?? "").split("\n").map((line) => line.trim());
  const keys = lines.filter((line) => line !== "");
  if (!keys.every(isMasterKey))
    throw new SettingsError([
      `${oldFile(folder)} must hold master keys of ${MASTER_KEY_BYTES} bytes in base64, one a line, and nothing else`,
    ]);
  // The file is appended to, and where the oldest counts, the vault looks at the last.
  return keys.map((key) => new Secret(key)).toReversed();
}

/**
 * Puts a new master key in the place of `<folder>/master-key`, and the one before at the end of `master-key-old`; false
 * when there is none to replace. At no moment is a key in neither file, so it may be interrupted and repeated, and a
 * process that runs with the one before is not disturbed. Throws a SettingsError when a file holds no keys.
 */
export async function replaceKeptMasterKey(folder: string): Promise<boolean> {
  const current = await readCurrent(folder);
  if (current === null) return false;
  const old = await readOldMasterKeys(folder);
  // It stands there already when an earlier replacement was interrupted.
  if (!old.some((key) => key.reveal() === current)) await appendOld(folder, current);
  // Another replacement ran at the same time: its new key is in no other file.
  if ((await readCurrent(folder)) !== current)
    throw new SettingsError([`${currentFile(folder)} was replaced meanwhile; it is left as it is now`]);
  await writeKeyFile(currentFile(folder), makeMasterKey());
  return true;
}

async function readCurrent(folder: string): Promise<string | null> {
  const key = (await readIfThere(currentFile(folder)))?.trim() ?? null;
  if (key === null || isMasterKey(key)) return key;
  throw new SettingsError([
    `${currentFile(folder)} holds no key of ${MASTER_KEY_BYTES} bytes in base64; put its former key back`,
  ]);
}

async function appendOld(folder: string, key: string): Promise<void> {
  const file = oldFile(folder);
  const before = (await readIfThere(file)) ?? "";
  // Edited by hand, its last line may have no end.
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  await writeSynced(file, "a", `${gap}${key}\n`);
  await syncFolder(folder);
}

async function writeSynced(file: string, flag: "wx" | "a", text: string): Promise<void> {
  const handle = await open(file, flag, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes new names durable. Windows can't open a folder, and does this by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
    throw cause;
  }
}
