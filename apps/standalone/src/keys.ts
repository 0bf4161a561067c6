import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Secret } from "@bulkhead/settings";
import { StartRefusal } from "./start-refusal.ts";

/** The same form as every key that Bulkhead makes: `bh_` and 256 random bits. */
const makeKey = (): string => `bh_${randomBytes(32).toString("base64url")}`;

const LENGTH_MIN = 32;

/**
 * The key of the settings, which is never written down, or the one kept in `<dataDir>/<name>` (mode 0600), which is
 * made on the first start. Throws a StartRefusal when that file holds something that can't be a key.
 */
export async function keepKey(dataDir: string, name: string, set: Secret | undefined): Promise<Secret> {
  if (set !== undefined) return set;
  const file = join(dataDir, name);
  const kept = await readKept(file);
  if (kept !== null) {
    if (kept.length >= LENGTH_MIN) return new Secret(kept);
    throw new StartRefusal(
      `${file} holds no key of ${LENGTH_MIN} characters or more; remove it to get a new one.`,
    );
  }
  const made = makeKey();
  // Renamed into place: a crash in between leaves no half of a key.
  await writeFile(`${file}.new`, `${made}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return new Secret(made);
}

async function readKept(file: string): Promise<string | null> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
    throw cause;
  }
}
