import { access, chmod, constants, mkdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { StartRefusal } from "./start-refusal.ts";

/**
 * Makes the data folder, closed to other users, and answers its absolute path. Throws a StartRefusal when it is not a
 * folder that this user may write to.
 */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { mode } = await stat(folder);
    if ((mode & 0o066) !== 0) await chmod(folder, 0o700);
    await access(folder, constants.W_OK | constants.X_OK);
    return folder;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new StartRefusal(
      `DATA_DIR ${folder} is not a folder that this user can write to (${code}). ` +
        "Put that right, or choose another: DATA_DIR=/some/folder npm start",
      { cause },
    );
  }
}
