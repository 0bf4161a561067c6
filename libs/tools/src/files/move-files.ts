import { ANY_FILE, Fault, isDenied, isWithin, mayWriteAt, type FileCondition } from "@bulkhead/core";
import { filePath, findFile, termsOf, type FileAsker, type FileTerms } from "./file-access.ts";
import { faultOf, notAllowed, ofOthers } from "./file-refusals.ts";
import { placeToWrite, type WriteDeps } from "./write-file.ts";

interface Moving {
  from: string;
  to: string;
  /** Whether a file at the new path goes. */
  overwrites?: boolean;
}

/**
 * Moves a file, or a folder with all its files, within the workspace, all at once. What is denied to the asker stays where it
 * is, as if it were not there. A folder can't be moved over another one.
 */
export async function moveFile(
  deps: WriteDeps,
  asker: FileAsker,
  { from: saidFrom, to: saidTo, overwrites = false }: Moving,
): Promise<{ moved: { from: string; to: string }[] }> {
  const from = filePath(saidFrom, "from");
  const to = filePath(saidTo, "to");
  if (isWithin(from, to)) throw pathFault("to", "must not lie within what is moved");
  const terms = await termsOf(deps, asker);
  await requireOwn(deps, asker, terms, from);
  // Also not where a denied folder would lie within it: whether there is one is not told.
  if (!mayWriteAt(terms.denied, to)) throw notAllowed(to);
  const check = (path: string): void => void placeToWrite(asker, terms, filePath(path, "to"));
  const { denied } = terms;
  const moved = await deps.files.move({ workspace: asker.workspace, path: from }, to, {
    overwrites,
    denied,
    check,
  });
  if (moved.outcome === "moved") return { moved: moved.moved };
  throw faultOf(moved.outcome === "is_folder" ? { outcome: "exists", path: to } : moved, from);
}

/** Throws where the path stands for nothing, or for what is others'. */
async function requireOwn(deps: WriteDeps, asker: FileAsker, terms: FileTerms, path: string): Promise<void> {
  if (isDenied(terms.denied, path)) throw faultOf({ outcome: "not_found" }, path);
  if ((await findFile(deps, asker, terms, path))?.isInherited) throw ofOthers(path);
}

const pathFault = (path: string, message: string): Fault =>
  new Fault("file.path_invalid", {
    detail: `The path is not valid: ${path} ${message}.`,
    errors: [{ path, message }],
  });

interface Removing {
  path: string;
  /** A folder goes with all its files; else it is refused. */
  isRecursive?: boolean;
  condition?: FileCondition;
}

/** Removes a file, or a folder with all its files that are there for the asker. Says how many, and their bytes. */
export async function removeFile(
  deps: WriteDeps,
  asker: FileAsker,
  { path: said, isRecursive = false, condition = ANY_FILE }: Removing,
): Promise<{ removed: number; bytes: number }> {
  const path = filePath(said);
  const terms = await termsOf(deps, asker);
  await requireOwn(deps, asker, terms, path);
  const { denied } = terms;
  const place = { workspace: asker.workspace, path };
  const removed = await deps.files.remove(place, { isRecursive, denied, condition });
  if (removed.outcome !== "removed") throw faultOf(removed, path);
  return { removed: removed.removed, bytes: removed.bytes };
}
