import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { systemCode } from "./system-code.ts";

/**
 * Makes the folder (and its parents) if it is missing and closes it to everyone but its owner. Permission to pass through
 * it (0711) is kept: a store that runs as another user needs it.
 */
export async function ensurePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode } = await stat(folder);
  if ((mode & 0o066) !== 0) await chmod(folder, 0o700);
}

const PASSWORD_BYTES = 24;

/** The password kept in `file` (mode 0600); made at random on the first call. URL-safe characters only. */
export async function keepPassword(file: string): Promise<string> {
  const kept = await readIfThere(file);
  if (kept !== null && kept.trim() !== "") return kept.trim();
  const made = randomBytes(PASSWORD_BYTES).toString("base64url");
  // Renamed into place: a crash in between leaves no half-written password behind.
  await writeFile(`${file}.new`, `${made}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return made;
}

/** The text of a file, or null when there is none. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return null;
    throw cause;
  }
}
