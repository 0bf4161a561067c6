import { statSync } from "node:fs";
import { dirname } from "node:path";

const OTHERS_READ = 0o4;
const OTHERS_PASS = 0o1;

/** Where the way to one of these files is closed to users other than the owner, in words; null where all is open. */
export function closedToOthers(paths: readonly string[]): string | null {
  for (const path of paths) {
    const mode = modeOf(path);
    if (mode === null) continue;
    if ((mode & OTHERS_READ) === 0) return `${path} can't be read by other users`;
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
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
