import {
  isDenied,
  layersOf,
  type FileRecord,
  type FileUsage,
  type TenantLimits,
  type WorkspaceLayer,
} from "@bulkhead/core";
import {
  filePath,
  findFile,
  folderPath,
  isGone,
  noSuchFile,
  seenBy,
  termsOf,
  type FileAsker,
  type FilesDeps,
  type FileTerms,
  type SeenFile,
} from "./file-access.ts";
import { readCursor, writeCursor } from "./file-cursor.ts";

type Deps = Pick<FilesDeps, "files" | "tenants">;

/** Paths that are asked for at once. */
const PATHS_AT_ONCE = 10_000;

export type FileEntry =
  | { kind: "file"; file: SeenFile }
  /** With how many files it holds, at any depth. */
  | { kind: "folder"; path: string; files: number };

interface Listing {
  /** Unset: the root. */
  folder?: string;
  /** With all within; else its files and folders alone. */
  isRecursive?: boolean;
  limit: number;
  /** The `nextCursor` of the page before. */
  cursor?: string;
}

interface ListPage {
  entries: FileEntry[];
  nextCursor: string | null;
}

/** By path. A folder that isn't there is an empty list: there are no folders but those of files. */
export async function listFiles(
  deps: Deps,
  asker: FileAsker,
  { folder: said = "", isRecursive = false, limit, cursor }: Listing,
): Promise<ListPage> {
  const folder = folderPath(said, "folder");
  const after = cursor === undefined ? null : readCursor(cursor);
  const terms = await termsOf(deps, asker);
  if (isDenied(terms.denied, folder) && folder !== "") return { entries: [], nextCursor: null };
  return isRecursive
    ? listAll(deps, asker, terms, { folder, after, limit })
    : listLevel(deps, asker, terms, { folder, after, limit });
}

interface Asked {
  folder: string;
  after: string | null;
  limit: number;
}

/** By their bytes in UTF-8, as the database has them. */
const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** What the layers have, by path; of one path the first layer's. */
function merged<T>(found: readonly (readonly T[])[], pathOf: (one: T) => string): T[] {
  const [own = [], ...others] = found;
  if (others.every((some) => some.length === 0)) return [...own];
  const first = new Map<string, T>();
  for (const one of found.flat()) if (!first.has(pathOf(one))) first.set(pathOf(one), one);
  return [...first.values()].toSorted((one, other) => byBytes(pathOf(one), pathOf(other)));
}

async function listAll(
  { files }: Deps,
  asker: FileAsker,
  { denied, kind }: FileTerms,
  { folder, after, limit }: Asked,
): Promise<ListPage> {
  const layers = layersOf(asker.workspace, kind);
  const asked = { folder, denied, after, limit: limit + 1 };
  const found = merged(
    await Promise.all(layers.map((layer) => files.list(layer, asked))),
    ({ path }: FileRecord) => path,
  );
  const page = found.slice(0, limit);
  const entries = page
    .filter((file) => !isGone(file, kind))
    .map((file): FileEntry => ({ kind: "file", file: seenBy(asker)(file) }));
  return { entries, nextCursor: nextOf(found.length > limit, page.at(-1)?.path) };
}

const nextOf = (isMore: boolean, last: string | undefined): string | null =>
  isMore && last !== undefined ? writeCursor(last) : null;

async function listLevel(
  deps: Deps,
  asker: FileAsker,
  terms: FileTerms,
  { folder, after, limit }: Asked,
): Promise<ListPage> {
  const counts = new Map<string, number | null>();
  const begin = folder === "" ? 0 : folder.length + 1;
  for (const path of await seenPaths(deps, asker, terms, folder)) {
    const end = path.indexOf("/", begin);
    const entry = end === -1 ? path : path.slice(0, end);
    counts.set(entry, end === -1 ? null : (counts.get(entry) ?? 0) + 1);
  }
  const behind = [...counts.keys()]
    .toSorted(byBytes)
    .filter((path) => after === null || byBytes(path, after) > 0);
  const page = behind.slice(0, limit);
  const files = await findSeen(
    deps,
    asker,
    terms,
    page.filter((path) => counts.get(path) === null),
  );
  const entries = page.flatMap((path): FileEntry[] => {
    const count = counts.get(path) ?? null;
    if (count !== null) return [{ kind: "folder", path, files: count }];
    const file = files.get(path);
    return file ? [{ kind: "file", file }] : [];
  });
  return { entries, nextCursor: nextOf(behind.length > limit, page.at(-1)) };
}

/** The paths of all files of a folder that are there for the asker, in their order. */
export async function seenPaths(
  { files }: Deps,
  asker: FileAsker,
  { denied, kind }: FileTerms,
  folder: string,
): Promise<string[]> {
  const layers = layersOf(asker.workspace, kind);
  const found = merged(
    await Promise.all(layers.map((layer) => allPaths(files, layer, { folder, denied }))),
    (path: string) => path,
  );
  const maybeGone = found.filter((path) => isGone({ path, size: 0 }, kind));
  if (maybeGone.length === 0) return found;
  const there = await findSeen({ files }, asker, { kind }, maybeGone);
  return found.filter((path) => !maybeGone.includes(path) || there.has(path));
}

async function allPaths(
  files: Deps["files"],
  layer: WorkspaceLayer,
  { folder, denied }: Pick<FileTerms, "denied"> & { folder: string },
): Promise<string[]> {
  const all: string[][] = [];
  for (let after: string | null = null; ;) {
    const some = await files.paths(layer, { folder, denied, after, limit: PATHS_AT_ONCE });
    all.push(some);
    after = some.at(-1) ?? null;
    if (some.length < PATHS_AT_ONCE) return all.length === 1 ? some : all.flat();
  }
}

/** The files of these paths, which the asker may see. */
export async function findSeen(
  { files }: Pick<FilesDeps, "files">,
  asker: FileAsker,
  { kind }: Pick<FileTerms, "kind">,
  paths: readonly string[],
): Promise<Map<string, SeenFile>> {
  if (paths.length === 0) return new Map();
  const layers = layersOf(asker.workspace, kind);
  const found = await Promise.all(layers.map((layer) => files.findAll(layer, paths)));
  // The first layers last, since the last one of a path stays.
  const all = found.toReversed().flat();
  const first = new Map(all.map((file) => [file.path, seenBy(asker)(file)]));
  for (const [path, file] of first) if (isGone(file, kind)) first.delete(path);
  return first;
}

export type FileStat = FileEntry;

/** Throws `file.not_found`. */
export async function statFile(deps: Deps, asker: FileAsker, said: string): Promise<FileStat> {
  const path = filePath(said);
  const stat = await lookAt(deps, asker, await termsOf(deps, asker), path);
  if (!stat) throw noSuchFile(path);
  return stat;
}

/** What there is at the path; null: nothing. */
export async function fileExists(
  deps: Deps,
  asker: FileAsker,
  said: string,
): Promise<FileEntry["kind"] | null> {
  const stat = await lookAt(deps, asker, await termsOf(deps, asker), filePath(said));
  return stat?.kind ?? null;
}

async function lookAt(
  deps: Deps,
  asker: FileAsker,
  terms: FileTerms,
  path: string,
): Promise<FileStat | null> {
  const file = await findFile(deps, asker, terms, path);
  if (file) return { kind: "file", file };
  if (isDenied(terms.denied, path)) return null;
  const files = (await seenPaths(deps, asker, terms, path)).length;
  return files === 0 ? null : { kind: "folder", path, files };
}

/** What the tenant's files take, and may take. Of all its workspaces: only for who may see them all. */
export async function fileUsage(
  deps: Deps,
  tenantId: string,
): Promise<FileUsage & { limits: Pick<TenantLimits, "maxFiles" | "maxFileBytes" | "maxAllFileBytes"> }> {
  const { limits } = await termsOf(deps, {
    workspace: { tenantId, agentId: null, userId: null },
    seesAll: true,
  });
  const { maxFiles, maxFileBytes, maxAllFileBytes } = limits;
  return { ...(await deps.files.usage(tenantId)), limits: { maxFiles, maxFileBytes, maxAllFileBytes } };
}
