import { statSync } from "node:fs";
import { dirname } from "node:path";

const OTHERS_READ = 0o4;
const OTHERS_PASS = 0o1;

/**
 * Where the way to one of these files is closed to users other than the owner, in words; null where all is open. What is above
 * one of `tops` is not looked at: nobody goes that way.
 */
export function closedToOthers(paths: readonly string[], tops: readonly string[] = []): string | null {
  for (const path of paths) {
    const mode = modeOf(path);
    if (mode === null) continue;
    if ((mode & OTHERS_READ) === 0) return `${path} can't be read by other users`;
    for (let at = path; !tops.includes(at) && dirname(at) !== "/"; at = dirname(at)) {
      const folder = dirname(at);
      if (((modeOf(folder) ?? 0) & OTHERS_PASS) === 0) return `the folder ${folder} is closed to other users`;
    }
  }
  return null;
}

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode;
  } catch {
    return null;
  }
}
