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

/** Letters that another system would read as a way out of the folder, or that no name needs. */
// oxlint-disable-next-line no-control-regex -- these are what no name needs
const STRANGE = /[\u0000-\u001f\u007f\\:]/;
const NO_PARTS = ["", ".", "..", "__proto__"];

/** Why a folder or a file of an import can't be there; null for a relative path that stays below where it begins. */
export const archivePathFault = (path: string): string | null =>
  STRANGE.test(path) || path.split("/").some((part) => NO_PARTS.includes(part))
    ? `holds the path ${JSON.stringify(path)}, which is not allowed`
    : null;
