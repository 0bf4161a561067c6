import {
  ANY_FILE,
  Fault,
  FILE_CHUNK_BYTES,
  mayWriteAt,
  readPlaces,
  ROUTED_FOLDERS,
  routeOf,
  writePlace,
  type FileChunk,
  type FileCondition,
  type FileContent,
  type FilePlace,
} from "@bulkhead/core";
import { createHash } from "node:crypto";
import {
  filePath,
  findFile,
  seenBy,
  termsOf,
  type FileAsker,
  type FilesDeps,
  type FileTerms,
  type SeenFile,
} from "./file-access.ts";
import { faultOf, notAllowed, ofOthers } from "./file-refusals.ts";

export type WriteDeps = Pick<FilesDeps, "files" | "tenants">;

/** How often a change is tried anew that others have overtaken. */
const TRIES_MAX = 5;

export interface Written {
  /** Null: it is gone, since an empty file of this path is as good as none. */
  file: SeenFile | null;
  created: boolean;
  /** False where it was so already. */
  changed: boolean;
}

interface Writing {
  path: string;
  content: Uint8Array;
  condition?: FileCondition;
}

/** Where a file of this path is written. Throws `file.not_allowed` and `file.is_folder`. */
export function placeToWrite(asker: FileAsker, { denied, kind }: FileTerms, path: string): FilePlace {
  if (!mayWriteAt(denied, path)) throw notAllowed(path);
  if (ROUTED_FOLDERS.includes(path)) throw faultOf({ outcome: "is_folder", path }, path);
  const workspace = writePlace(asker.workspace, path, kind);
  if (workspace === null) throw ofOthers(path);
  return { workspace, path };
}

/** Writes a file as a whole: there is the former content or the new one, nothing between. */
export async function writeFile(
  deps: WriteDeps,
  asker: FileAsker,
  { path: said, content, condition = ANY_FILE }: Writing,
): Promise<Written> {
  const path = filePath(said);
  return put(deps, asker, await termsOf(deps, asker), { path, content, condition });
}

async function put(
  deps: WriteDeps,
  asker: FileAsker,
  terms: FileTerms,
  { path, content, condition }: Required<Writing>,
): Promise<Written> {
  const place = placeToWrite(asker, terms, path);
  const { maxFiles, maxFileBytes, maxAllFileBytes } = terms.limits;
  if (content.length > maxFileBytes) throw fileTooLarge(maxFileBytes);
  const isGone = content.length === 0 && routeOf(path, terms.kind)?.emptyIsGone === true;
  // Where another's file would be read in its place an empty one stays, and hides it.
  if (isGone && readPlaces(asker.workspace, path, terms.kind).length === 1)
    return drop(deps, place, condition);
  const bounds = { files: maxFiles, bytes: maxAllFileBytes };
  const written = await deps.files.write(place, contentOf(content), condition, { by: asker.by, bounds });
  if (written.outcome !== "written") throw faultOf(written, path);
  const { file, created, changed } = written;
  return { file: isGone ? null : seenBy(asker)(file), created: created && !isGone, changed };
}

async function drop({ files }: WriteDeps, place: FilePlace, condition: FileCondition): Promise<Written> {
  const removed = await files.remove(place, { isRecursive: false, denied: [], condition });
  const isThere = removed.outcome === "removed";
  const isFine = removed.outcome === "not_found" && condition.exists !== true && condition.hashes === null;
  if (!isThere && !isFine)
    throw faultOf(removed.outcome === "not_found" ? { outcome: "condition_failed" } : removed, place.path);
  return { file: null, created: false, changed: isThere };
}

export const fileTooLarge = (maxFileBytes: number): Fault =>
  new Fault("file.too_large", {
    detail: `A file of this tenant may have ${maxFileBytes} bytes at most (its limit maxFileBytes).`,
    errors: [{ path: "content", message: `must have ${maxFileBytes} bytes at most` }],
  });

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function contentOf(bytes: Uint8Array): FileContent {
  const chunks: FileChunk[] = [];
  for (let at = 0; at < bytes.length; at += FILE_CHUNK_BYTES) {
    const piece = bytes.subarray(at, at + FILE_CHUNK_BYTES);
    chunks.push({ hash: sha256(piece), bytes: piece });
  }
  return { size: bytes.length, hash: sha256(bytes), chunks };
}

/** Makes the new bytes of a file from the former ones, which are the agent's where the user has none yet. */
export type Change = (former: { file: SeenFile; bytes: Uint8Array } | null) => Uint8Array;

/**
 * Reads, changes and writes, and tries anew where another was sooner, so that no change of two at once is lost. Throws
 * `file.changed` where others always are, and `file.precondition_failed` where it is not as the caller expects it.
 */
export async function changeFile(
  deps: WriteDeps,
  asker: FileAsker,
  { path: said, condition = ANY_FILE }: Pick<Writing, "path" | "condition">,
  change: Change,
): Promise<Written & { former: SeenFile | null }> {
  const path = filePath(said);
  const terms = await termsOf(deps, asker);
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const former = await findFile(deps, asker, terms, path);
    if (!fits(former, condition)) throw faultOf({ outcome: "condition_failed" }, path);
    const bytes = former && (await deps.files.read(former, former.version, { from: 0, to: former.size }));
    if (former && bytes === null) continue;
    const content = change(former && bytes ? { file: former, bytes } : null);
    // What is read from others is written as one's own.
    const isOwn = former !== null && !former.isInherited;
    const expected = { exists: isOwn, hashes: isOwn ? [former.hash] : null };
    try {
      return { ...(await put(deps, asker, terms, { path, content, condition: expected })), former };
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "file.precondition_failed") throw error;
    }
  }
  throw new Fault("file.changed", { detail: `${path} was changed again and again meanwhile; try again.` });
}

function fits(file: SeenFile | null, { exists, hashes }: FileCondition): boolean {
  if (exists !== null && exists !== (file !== null)) return false;
  return hashes === null || (file !== null && hashes.includes(file.hash));
}

/** Adds to the end of a file; makes it where there is none. */
export async function appendFile(
  deps: WriteDeps,
  asker: FileAsker,
  { path, content, condition }: Writing,
): Promise<Written> {
  const asked = { path, ...(condition && { condition }) };
  const { file, created, changed } = await changeFile(deps, asker, asked, (former) =>
    former === null ? content : Buffer.concat([former.bytes, content]),
  );
  return { file, created, changed };
}
