import { createHash } from "node:crypto";
import { join } from "node:path";
import { findUnits } from "../folders/find-units.ts";
import type { DependsOn } from "../folders/depends-on.ts";
import { KINDS, openMarkReader } from "../folders/marks.ts";
import { VERSION } from "../version.ts";

export interface FolderDigest {
  digest: string;
  /** When the last of the files and folders was changed, by its own word; milliseconds since 1970. */
  newestMs: number;
}

/**
 * The SHA-256 of all that makes a folder's tools what they are: which of its files may hold some, and what they depend on, by
 * paths relative to the folder. Throws what the system says of the folder, and `RefusedFile` for what can't be looked at.
 */
export function folderDigest(root: string, on: DependsOn): FolderDigest {
  const units = findUnits(root, () => undefined);
  const hash = createHash("sha256").update(JSON.stringify([VERSION, units]));
  const reader = openMarkReader(new Map());
  let newestMs = 0;
  for (const kind of KINDS)
    for (const path of on[kind]) {
      const { text, writtenMs } = reader.mark(kind, join(root, path));
      hash.update(JSON.stringify([kind, path, text]));
      newestMs = Math.max(newestMs, writtenMs);
    }
  return { digest: hash.digest("hex"), newestMs };
}
