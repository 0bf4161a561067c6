import type { FileCondition, FileRecord, FileUsage, FileVersion } from "./file.ts";
import type { FilePlace, Workspace } from "./workspace.ts";
import type { WorkspaceLayer } from "./routed-files.ts";

/** A piece of a file's bytes. */
export interface FileChunk {
  /** SHA-256 in hex. */
  hash: string;
  bytes: Uint8Array;
}

/** The bytes of a file to be written. */
export interface FileContent {
  size: number;
  hash: string;
  /** In their order, each of `FILE_CHUNK_BYTES` but the last. */
  chunks: readonly FileChunk[];
}

/** The bounds of a tenant. */
export interface FileBounds {
  files: number;
  bytes: number;
}

/** Who writes, and within what. */
export interface FileWriter {
  by: string;
  bounds: FileBounds;
}

/** Why nothing was written. */
export type FileRefusal =
  /** A folder has this path. */
  | { outcome: "is_folder"; path: string }
  /** A file has the path of a folder that would have to be there. */
  | { outcome: "under_file"; path: string }
  | { outcome: "exists"; path: string }
  | { outcome: "not_found" }
  | { outcome: "condition_failed" }
  | { outcome: "too_many_files"; bound: keyof FileBounds; limit: number }
  /** More than `FOLDER_FILES_MAX` at once. */
  | { outcome: "folder_too_large" };

export type FileWritten =
  | { outcome: "written"; file: FileRecord; created: boolean; changed: boolean }
  | FileRefusal;
type FilesMoved = { outcome: "moved"; moved: { from: string; to: string }[] } | FileRefusal;
type FilesRemoved = { outcome: "removed"; removed: number; bytes: number } | FileRefusal;

/** Which files of a layer are asked for. */
interface FilesAsked {
  /** Within this folder; empty: all. */
  folder: string;
  /** Files at these paths, and all within, are not there. */
  denied: readonly string[];
  /** Behind this path; null: from the first on. */
  after: string | null;
  limit: number;
}

/** Where the files of a search are, and how many bytes of them come at once. */
interface SearchAsked extends FilesAsked {
  /** A file without these bytes is passed over; null: none is. */
  literal: Uint8Array | null;
  bytesMax: number;
}

/** A file that is searched, with its bytes. */
export interface SearchedFile {
  path: string;
  bytes: Uint8Array;
}

/** A page of a search: how many files were looked at, and which have the literal. */
interface SearchPage {
  /** All paths that were looked at, with their files' sizes. */
  looked: { path: string; size: number }[];
  files: SearchedFile[];
  /** Goes on behind this path; null: all were looked at. */
  next: string | null;
}

/** Files and their bytes. Every question names the tenant: another tenant's files do not exist. */
export interface FileStore {
  /** The first of these places where there is a file. */
  findFirst(places: readonly Workspace[], path: string): Promise<FileRecord | null>;
  /** Of these paths those that are there, by path. */
  findAll(layer: WorkspaceLayer, paths: readonly string[]): Promise<FileRecord[]>;
  /** The bytes from `from` to `to` (exclusive) of a version; null: that version is not there any more. */
  read(
    file: Pick<FileRecord, "workspace" | "fileId">,
    version: number,
    range: { from: number; to: number },
  ): Promise<Uint8Array | null>;
  /** Newest first. */
  versions(file: Pick<FileRecord, "workspace" | "fileId">): Promise<FileVersion[]>;
  /** By path. */
  list(layer: WorkspaceLayer, asked: FilesAsked): Promise<FileRecord[]>;
  /** By path; cheaper than `list`. */
  paths(layer: WorkspaceLayer, asked: FilesAsked): Promise<string[]>;
  search(layer: WorkspaceLayer, asked: SearchAsked): Promise<SearchPage>;
  /** Writes a file as a whole. Bytes that are there already make no version. */
  write(
    place: FilePlace,
    content: FileContent,
    condition: FileCondition,
    writer: FileWriter,
  ): Promise<FileWritten>;
  /**
   * Moves a file, or all files of a folder that are not denied; `check` sees each new path before and throws where one can't
   * be. A file at the new path goes where `overwrites` says so.
   */
  move(
    place: FilePlace,
    to: string,
    how: { overwrites: boolean; denied: readonly string[]; check: (to: string) => void },
  ): Promise<FilesMoved>;
  /** Removes a file, or with `isRecursive` all files of a folder that are not denied. */
  remove(
    place: FilePlace,
    how: { isRecursive: boolean; denied: readonly string[]; condition: FileCondition },
  ): Promise<FilesRemoved>;
  usage(tenantId: string): Promise<FileUsage>;
  /**
   * Deletes pieces that no version has had for an hour, of so many that are looked at; how many were looked at, 0: none is due.
   * A piece that is being written is never one of them.
   */
  sweep(atOnce: number): Promise<number>;
}
