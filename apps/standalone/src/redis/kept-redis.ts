import { access, constants, mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * The folder for a Redis that had to be fetched, shared by all data folders of this user and by clones of the project:
 * `bulkhead/redis` under `XDG_CACHE_HOME`, else under `.cache` of the home folder. Null if that can't be written.
 */
export async function keptRedisDir(env: NodeJS.ProcessEnv): Promise<string | null> {
  const named = env["XDG_CACHE_HOME"] ?? "";
  const cache = isAbsolute(named) ? named : join(env["HOME"] ?? homedir(), ".cache");
  const folder = join(cache, "bulkhead/redis");
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
    return folder;
  } catch {
    // A service's account may have no home: its data folder keeps the program then.
    return null;
  }
}
