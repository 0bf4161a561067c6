import type { File as WorkspaceFile, ListFilesAnswer } from "@bulkhead/client";

/** A row of a folder; `id` is its path, behind which a folder has a slash. */
export type FileRow =
  | { id: string; path: string; file: WorkspaceFile }
  | { id: string; path: string; files: number };

/** What a folder's pages hold, folders and files by path, as the server goes through them. */
export function rowsOf(pages: readonly Pick<ListFilesAnswer, "files" | "folders">[]): FileRow[] {
  return pages.flatMap(({ files, folders }) =>
    [
      ...folders.map((folder): FileRow => ({
        id: `${folder.path}/`,
        path: folder.path,
        files: folder.files,
      })),
      ...files.map((file): FileRow => ({ id: file.path, path: file.path, file })),
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
}

export const isFolder = (row: FileRow): row is Extract<FileRow, { files: number }> => "files" in row;
