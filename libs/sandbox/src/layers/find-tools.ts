import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { LaunchTools } from "./launch-plan.ts";

/** Where systems keep such programs; never the worker's PATH, in which anyone's folder may stand first. */
export const TOOL_FOLDERS: readonly string[] = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** The tools that are in these folders. */
export const findTools = (folders: readonly string[]): LaunchTools => ({
  prlimit: find("prlimit", folders),
  setpriv: find("setpriv", folders),
  unshare: find("unshare", folders),
  perl: find("perl", folders),
  nice: find("nice", folders),
});

function find(name: string, folders: readonly string[]): string | null {
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this one.
    }
  }
  return null;
}
