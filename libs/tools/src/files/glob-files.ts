import { isDenied, isWithin } from "@bulkhead/core";
import { folderPath, termsOf, type FileAsker, type FilesDeps, type SeenFile } from "./file-access.ts";
import { compileGlob } from "./glob.ts";
import { findSeen, seenPaths } from "./list-files.ts";

/** Files that one call answers. */
export const GLOB_FILES_MAX = 1_000;

interface Globbing {
  pattern: string;
  /** Where the pattern begins; unset: the root. */
  folder?: string;
  /** `GLOB_FILES_MAX` at most. */
  limit?: number;
}

/** The files whose paths match, by path. Throws `file.pattern_invalid`. */
export async function globFiles(
  deps: Pick<FilesDeps, "files" | "tenants">,
  asker: FileAsker,
  { pattern, folder: said = "", limit = GLOB_FILES_MAX }: Globbing,
): Promise<{ files: SeenFile[]; /** There are more. */ isCut: boolean }> {
  const glob = compileGlob(pattern);
  const folder = folderPath(said);
  const terms = await termsOf(deps, asker);
  const within = [folder, glob.folder].filter((name) => name !== "").join("/");
  if (within !== "" && isDenied(terms.denied, within)) return { files: [], isCut: false };
  const begin = folder === "" ? 0 : folder.length + 1;
  const paths: string[] = [];
  for (const path of await seenPaths(deps, asker, terms, within)) {
    if (isWithin(folder, path) && glob.matches(path.slice(begin))) paths.push(path);
    if (paths.length > limit) break;
  }
  const wanted = paths.slice(0, Math.min(limit, GLOB_FILES_MAX));
  const found = await findSeen(deps, asker, terms, wanted);
  return { files: wanted.flatMap((path) => found.get(path) ?? []), isCut: paths.length > wanted.length };
}
