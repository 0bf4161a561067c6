/** A file of the caller's workspace. */
interface FileFacts {
  path: string;
  /** In bytes. */
  size: number;
  /** By the end of its name. */
  contentType: string;
  /** Another for other bytes; for `ifMatch`. */
  etag: string;
  version: number;
  /** ISO 8601. */
  modifiedAt: string;
  createdAt: string;
}
interface FolderFacts {
  kind: "folder";
  path: string;
  files: number;
}
interface WrittenFile extends Partial<FileFacts> {
  path: string;
  created: boolean;
  changed: boolean;
  /** Something in it was secret, and is stored as [REDACTED]. */
  covered?: boolean;
}
interface FileMatch {
  path: string;
  /** From 1 on, as the column. */
  line: number;
  column: number;
  text: string;
}

/**
 * The files of the caller's workspace: those of the agent and the user (`context.userId`) for whom the tool runs. Paths are
 * relative to its root: `notes/today.md`. A refusal rejects with an Error whose `code` is `not_found`, `conflict`,
 * `invalid_request`, `capability_denied` or `capability_limit`; a run may ask 1,000 times.
 */
export interface ToolFiles {
  /** All of a text, or its lines `startLine` to `endLine`: `await utils.fs.read("log.txt", { startLine: 1, endLine: 20 })`. */
  read(
    path: string,
    options?: { encoding?: "utf8"; version?: number; startLine?: number; endLine?: number },
  ): Promise<string>;
  /** Bytes from `from` up to `to`: at most 8 MiB at once. */
  read(
    path: string,
    options: { encoding: "bytes"; version?: number; from?: number; to?: number },
  ): Promise<Uint8Array>;
  /** Up to 1 MiB; `ifMatch: etag` only if nobody changed it, `ifNoneMatch: "*"` only if it is new. Secrets are covered. */
  write(
    path: string,
    content: string | ArrayBuffer | ArrayBufferView,
    options?: { ifMatch?: string; ifNoneMatch?: "*" },
  ): Promise<WrittenFile>;
  /** A secret that comes in pieces, by several writes, is not found: write it nowhere. */
  append(path: string, content: string | ArrayBuffer | ArrayBufferView): Promise<WrittenFile>;
  /** Each `oldText` must be there exactly once; all edits are made or none. */
  edit(
    path: string,
    edits: { oldText: string; newText: string }[],
    options?: { ifMatch?: string },
  ): Promise<FileFacts & { diff: string; covered?: boolean }>;
  /** A folder, or with `recursive` all files below it; go on with `cursor` where `nextCursor` is not null. */
  list(
    path?: string,
    options?: { recursive?: boolean; limit?: number; cursor?: string },
  ): Promise<{ entries: (({ kind: "file" } & FileFacts) | FolderFacts)[]; nextCursor: string | null }>;
  /** Files by their paths: `await utils.fs.glob("notes/*.md")`. */
  glob(
    pattern: string,
    options?: { path?: string; limit?: number },
  ): Promise<{ files: FileFacts[]; truncated: boolean }>;
  /** Lines that match a regular expression in the syntax of RE2; `cut` says why there may be more. */
  search(
    pattern: string,
    options?: { path?: string; glob?: string; ignoreCase?: boolean; limit?: number },
  ): Promise<{
    matches: FileMatch[];
    filesSearched: number;
    binarySkipped: number;
    cut: "matches" | "time" | null;
  }>;
  stat(path: string): Promise<({ kind: "file" } & FileFacts) | FolderFacts>;
  exists(path: string): Promise<{ exists: boolean; kind: "file" | "folder" | null }>;
  /** A file or a folder; in place of a file that is there only with `overwrite`. */
  move(
    from: string,
    to: string,
    options?: { overwrite?: boolean },
  ): Promise<{ moved: { from: string; to: string }[]; count: number }>;
  /** A file, or with `recursive` a folder and all in it. */
  remove(
    path: string,
    options?: { recursive?: boolean; ifMatch?: string },
  ): Promise<{ removed: number; bytes: number }>;
}
