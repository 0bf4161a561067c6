import {
  agentKindOf,
  contentTypeOf,
  deniedPaths,
  Fault,
  isDenied,
  parseFilePath,
  parseFolderPath,
  readPlaces,
  routeOf,
  type AgentKind,
  type FileRecord,
  type FileStore,
  type TenantLimits,
  type TenantStore,
  type Workspace,
} from "@bulkhead/core";
import type { FileSearch } from "./file-search.ts";

export interface FilesDeps {
  files: FileStore;
  /** Limits and settings are looked up for each call, so that a change holds at once and who uses no files pays nothing. */
  tenants: Pick<TenantStore, "find">;
  search: Pick<FileSearch, "run">;
}

/** Who asks, and for whose files. */
export interface FileAsker {
  workspace: Workspace;
  /** The id of the key or of the execution; kept with what is written. */
  by: string;
  /** People see what is denied to agents. False for agents' keys, and for what runs. */
  seesAll: boolean;
}

/** A file as the asker sees it. */
export interface SeenFile extends FileRecord {
  contentType: string;
  /** It is the agent's or the tenant's, read in place of one of the workspace's own. */
  isInherited: boolean;
}

/** The tenant's word on one call. */
export interface FileTerms {
  kind: AgentKind;
  /** Paths that are not there for the asker. */
  denied: readonly string[];
  limits: Pick<TenantLimits, "maxFiles" | "maxFileBytes" | "maxAllFileBytes">;
}

/** Throws `tenant.not_found` where the tenant is gone, or about to be. */
export async function termsOf(
  { tenants }: Pick<FilesDeps, "tenants">,
  { workspace: { tenantId, agentId }, seesAll }: Pick<FileAsker, "workspace" | "seesAll">,
): Promise<FileTerms> {
  const tenant = await tenants.find(tenantId);
  if (!tenant || tenant.deletingAt) throw new Fault("tenant.not_found");
  const { files } = tenant.settings;
  return {
    kind: agentKindOf(files, agentId),
    denied: seesAll ? [] : deniedPaths(files, agentId),
    limits: tenant.limits,
  };
}

/** Throws `file.path_invalid`, which names the field. */
export const filePath = (said: string, field = "path"): string => parsed(parseFilePath(said), field);

/** The same of a folder; empty: the root. */
export const folderPath = (said: string, field = "path"): string => parsed(parseFolderPath(said), field);

function parsed({ path, fault }: ReturnType<typeof parseFilePath>, field: string): string {
  if (path !== undefined) return path;
  throw new Fault("file.path_invalid", {
    detail: `The path is not valid: ${field} ${fault}.`,
    errors: [{ path: field, message: fault }],
  });
}

export const noSuchFile = (path: string): Fault =>
  new Fault("file.not_found", { detail: `There is no file ${path}.` });

/** Whether a file of this path and size stands for none. */
export const isGone = ({ path, size }: Pick<FileRecord, "path" | "size">, kind: AgentKind): boolean =>
  size === 0 && routeOf(path, kind)?.emptyIsGone === true;

export const seenBy =
  ({ workspace: { agentId, userId } }: Pick<FileAsker, "workspace">) =>
  (file: FileRecord): SeenFile => ({
    ...file,
    contentType: contentTypeOf(file.path),
    isInherited: file.workspace.agentId !== agentId || file.workspace.userId !== userId,
  });

/** The file that a path stands for to the asker; null: none. */
export async function findFile(
  { files }: Pick<FilesDeps, "files">,
  asker: Pick<FileAsker, "workspace">,
  { denied, kind }: FileTerms,
  path: string,
): Promise<SeenFile | null> {
  if (isDenied(denied, path)) return null;
  const file = await files.findFirst(readPlaces(asker.workspace, path, kind), path);
  return file && !isGone(file, kind) ? seenBy(asker)(file) : null;
}
