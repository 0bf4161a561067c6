export interface ArchiveFile {
  /** Relative, with `/` between its parts; none of them is empty, `.` or `..`. */
  path: string;
  bytes: Uint8Array;
}

/** Files in one zip. */
export interface ToolArchive {
  /** In bounded time and memory whatever the bytes are. Throws `archive.invalid` with the path of the entry at fault. */
  read(zip: Uint8Array): ArchiveFile[];
  /** The same files make the same bytes. */
  write(files: readonly ArchiveFile[]): Uint8Array;
}
