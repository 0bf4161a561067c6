import { Fault, FILE_PATH_BYTES_MAX, FOLDER_FILES_MAX, isWithin } from "@bulkhead/core";
import { UNSAVED_MAX, WHY_CHARS_MAX, WORKSPACE_FILES_MAX } from "../built-in/shell/bounds.ts";
import type { FileAsker, FilesDeps, SeenFile } from "../files/file-access.ts";
import { listFiles } from "../files/list-files.ts";
import { removeFile } from "../files/move-files.ts";
import { readFile } from "../files/read-file.ts";
import { writeFile } from "../files/write-file.ts";

/** The files of a workspace as they were when a command began, by their paths. */
export type WorkspaceCopy = ReadonlyMap<string, SeenFile>;

/** What a command has made of its workspace. */
export interface WorkspaceChanges {
  written: ReadonlyMap<string, Uint8Array>;
  removed: readonly string[];
  /** Links, pipes and the like, of which a workspace has none. */
  odd: readonly string[];
}

interface Unsaved {
  path: string;
  why: string;
}

export interface Saved {
  written: number;
  removed: number;
  /** What is not in the workspace as the command left it; of very much the first, and how much more there is. */
  unsaved: Unsaved[];
}

/** Null where there are more than `WORKSPACE_FILES_MAX`. */
export async function copyWorkspace(deps: FilesDeps, asker: FileAsker): Promise<WorkspaceCopy | null> {
  const copy = new Map<string, SeenFile>();
  for (let cursor: string | null | undefined; cursor !== null && copy.size <= WORKSPACE_FILES_MAX;) {
    const asked = { isRecursive: true, limit: FOLDER_FILES_MAX, ...(cursor !== undefined && { cursor }) };
    const page = await listFiles(deps, asker, asked);
    for (const entry of page.entries) if (entry.kind === "file") copy.set(entry.file.path, entry.file);
    cursor = page.nextCursor;
  }
  return copy.size > WORKSPACE_FILES_MAX ? null : copy;
}

/** A file as it was when the command began; null where that is kept no more. */
export async function readCopied(
  deps: FilesDeps,
  asker: FileAsker,
  { path, version }: SeenFile,
): Promise<Uint8Array | null> {
  try {
    return (await readFile(deps, asker, { path, version })).bytes;
  } catch (error) {
    if (error instanceof Fault && error.status < 500) return null;
    throw error;
  }
}

/**
 * Brings a command's changes into the workspace, each only where the file is still as the command found it: what another has
 * written meanwhile stays, and is told. What is new is written before anything is removed, and where some of it could not be
 * saved nothing is removed, so that no content is lost on its way to another path.
 */
export async function saveChanges(
  deps: FilesDeps,
  asker: FileAsker,
  copy: WorkspaceCopy,
  { written, removed, odd }: WorkspaceChanges,
): Promise<Saved> {
  const unsaved = odd.map((path): Unsaved => ({ path, why: "Links and the like are not kept." }));
  const isBlocked = (path: string): boolean =>
    removed.some((gone) => gone !== path && (isWithin(gone, path) || isWithin(path, gone)));
  const all = [...written];
  const save = async (some: typeof all): Promise<number> => {
    let count = 0;
    for (const [path, content] of some) {
      const condition = conditionOf(copy.get(path));
      const why = await whyNot(path, () => writeFile(deps, asker, { path, content, condition }));
      if (why === null) count += 1;
      else unsaved.push({ path, why });
    }
    return count;
  };
  let count = await save(all.filter(([path]) => !isBlocked(path)));
  if (unsaved.length > odd.length) {
    const why = "Nothing is removed where something could not be saved.";
    const blocked = all.filter(([path]) => isBlocked(path)).map(([path]) => path);
    return {
      written: count,
      removed: 0,
      unsaved: shown([...unsaved, ...[...blocked, ...removed].map((path) => ({ path, why }))]),
    };
  }
  let gone = 0;
  for (const path of removed) {
    const condition = conditionOf(copy.get(path));
    const why = await whyNot(path, () => removeFile(deps, asker, { path, condition }));
    if (why === null) gone += 1;
    else unsaved.push({ path, why });
  }
  count += await save(all.filter(([path]) => isBlocked(path)));
  return { written: count, removed: gone, unsaved: shown(unsaved) };
}

/** Names and reasons are the command's to choose: a thousand of them would be megabytes. */
function shown(unsaved: readonly Unsaved[]): Unsaved[] {
  const left = unsaved.length - UNSAVED_MAX;
  return [
    ...unsaved.slice(0, UNSAVED_MAX).map(({ path, why }) => ({
      path: path.slice(0, FILE_PATH_BYTES_MAX).toWellFormed(),
      why: why.slice(0, WHY_CHARS_MAX).toWellFormed(),
    })),
    ...(left > 0 ? [{ path: "*", why: `${left} more are not saved, for reasons as these.` }] : []),
  ];
}

/** A file that is read from others is written as one's own, of which there must be none yet. */
const conditionOf = (file: SeenFile | undefined) =>
  file === undefined || file.isInherited
    ? { exists: false, hashes: null }
    : { exists: true, hashes: [file.hash] };

async function whyNot(path: string, change: () => Promise<unknown>): Promise<string | null> {
  try {
    await change();
    return null;
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500) throw error;
    if (error.code === "file.precondition_failed" || error.code === "file.exists")
      return `${path} was changed by somebody else while the command ran; that change stands.`;
    return error.detail ?? error.message;
  }
}
