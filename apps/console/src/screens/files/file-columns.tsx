import { Link } from "@tanstack/react-router";
import { Badge } from "../../design/badge.tsx";
import { FileCode, FolderOpen } from "../../design/icons.tsx";
import { type Column, ROW_LINK } from "../../design/table.tsx";
import type { Selected } from "../../design/use-selection.ts";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { bytes, count } from "../../format/numbers.ts";
import { type FileRow, isFolder } from "./file-rows.ts";
import { type FilesSearch, nameOf } from "./files-search.ts";

// Above the row's link, which lies over all of the row.
const BOX = "relative z-10 size-4 accent-accent";

/** What a folder's list shows of each file and folder. */
export const columnsOf = (search: FilesSearch, selected: Selected<FileRow> | null): Column<FileRow>[] => [
  ...(selected === null ? [] : [selectColumn(selected)]),
  {
    name: "Name",
    width: "minmax(8rem, 1fr)",
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-2">
        {isFolder(row) ? (
          <FolderOpen size={15} className="shrink-0 text-accent-strong" />
        ) : (
          <FileCode size={15} className="shrink-0 text-ink-3" />
        )}
        <Link
          to="/files"
          search={isFolder(row) ? { ...search, in: row.path } : { ...search, open: row.path }}
          {...ROW_LINK}
          className={`${ROW_LINK.className} min-w-0`}
          title={wordsLine(row.path)}
        >
          <Words text={nameOf(row.path)} />
          {isFolder(row) && "/"}
        </Link>
        {!isFolder(row) && row.file.inherited && <Badge tone="calm">inherited</Badge>}
      </span>
    ),
  },
  {
    name: "Size",
    width: "6rem",
    isNumber: true,
    cell: (row) =>
      isFolder(row) ? `${count(row.files)} file${row.files === 1 ? "" : "s"}` : bytes(row.file.size),
  },
  {
    name: "Version",
    width: "4.5rem",
    isNumber: true,
    from: "lg",
    cell: (row) => (isFolder(row) ? "" : row.file.version),
  },
  {
    name: "Changed",
    width: "8.5rem",
    from: "sm",
    cell: (row) => (isFolder(row) ? "" : <When at={row.file.modifiedAt} />),
  },
  {
    name: "By",
    width: "11rem",
    from: "lg",
    cell: (row) =>
      isFolder(row) ? (
        ""
      ) : (
        <span className="font-mono text-xs text-ink-2" title={wordsLine(row.file.modifiedBy)}>
          <Words text={row.file.modifiedBy} />
        </span>
      ),
  },
];

const selectColumn = ({ has, toggle, isAll, toggleAll }: Selected<FileRow>): Column<FileRow> => ({
  name: "Select",
  width: "1rem",
  head: (
    <input
      type="checkbox"
      className={BOX}
      aria-label="Select all that are loaded"
      checked={isAll}
      onChange={toggleAll}
    />
  ),
  cell: (row) => (
    <input
      type="checkbox"
      className={BOX}
      aria-label={`Select ${wordsLine(nameOf(row.path))}`}
      checked={has(row.id)}
      onChange={({ nativeEvent }) => toggle(row, (nativeEvent as PointerEvent).shiftKey)}
    />
  ),
});
