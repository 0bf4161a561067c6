import { access, chmod, constants, mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { StartRefusal } from "./start-refusal.ts";

/** PostgreSQL takes 1,023 bytes, and needs some of them for its own files. */
const PATH_BYTES_MAX = 800;

/** Like a recursive mkdir, which in Node 26 never ends on a file system that takes no folders (such as /proc). */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EEXIST") return;
    if (code !== "ENOENT") throw error;
    await makeFolders(dirname(folder));
    await mkdir(folder, { mode: 0o700 });
  }
}

/**
 * Makes the data folder, closed to other users, and answers its absolute path. Throws a StartRefusal when it is not a
 * folder that this user may write to.
 */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  if (Buffer.byteLength(folder) > PATH_BYTES_MAX) {
    throw new StartRefusal(
      `DATA_DIR is too long: PostgreSQL takes paths of ${PATH_BYTES_MAX} bytes here. Choose a shorter one.`,
    );
  }
  try {
    await makeFolders(folder);
    const found = await stat(folder);
    if (!found.isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
    const { mode } = found;
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
