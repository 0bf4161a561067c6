import { Link } from "@tanstack/react-router";
import { useFileSearch, type Workspace } from "../../data/workspace-files.ts";
import { Button } from "../../design/button.tsx";
import { SearchX } from "../../design/icons.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { bytes, count } from "../../format/numbers.ts";
import type { ChangeFiles, FilesSearch } from "./files-search.ts";

interface Props {
  search: FilesSearch;
  workspace: Workspace;
  folder: string;
  change: ChangeFiles;
}

/** Files whose paths match, or lines that do, each a link to its file. */
export function Found({ search, workspace, folder, change }: Props) {
  const { q: pattern = "", glob = "" } = search;
  const found = useFileSearch(workspace, folder, { pattern, glob, ignoreCase: search.case === "ignored" });
  if (found.isPending) return <Loading what="what is found" />;
  if (found.data === undefined) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  const { data } = found;
  const many = data.kind === "files" ? data.files.length : data.matches.length;
  if (many === 0)
    return (
      <Picture
        icon={SearchX}
        title={data.kind === "files" ? "No file is like that" : "No line is like that"}
        actions={
          <Button onClick={() => change({ q: undefined, glob: undefined, case: undefined })}>
            Show the folder
          </Button>
        }
      >
        {data.kind === "lines" &&
          `${count(data.filesSearched)} files were looked through${data.cut === "time" ? " before the time was up" : ""}.`}
      </Picture>
    );
  return (
    <>
      <p className="mb-2 text-xs text-ink-3" role="status">
        {data.kind === "files"
          ? `${count(many)} files${data.cut ? ", and there are more" : ""}.`
          : `${count(many)} ${many === 1 ? "line" : "lines"}${CUT[data.cut ?? "none"]}; ${count(data.filesSearched)} files were looked through${data.binarySkipped > 0 ? `; ${count(data.binarySkipped)} that are no text were left out` : ""}.`}
      </p>
      {data.kind === "files" ? (
        <Table
          label="Files that were found"
          columns={fileColumns(search)}
          rows={data.files}
          keyOf={({ path }) => path}
        />
      ) : (
        <Table
          label="Lines that were found"
          columns={lineColumns(search)}
          rows={data.matches}
          keyOf={({ path, line }) => `${path}:${line}`}
        />
      )}
    </>
  );
}

const CUT = {
  none: "",
  matches: ", and there are more",
  time: ", as far as was looked before the time was up",
} as const;

interface FoundFile {
  path: string;
  size: number;
  modifiedAt: string;
}

const fileColumns = (search: FilesSearch): Column<FoundFile>[] => [
  { name: "Path", width: "minmax(8rem, 1fr)", cell: ({ path }) => <PathLink search={search} path={path} /> },
  { name: "Size", width: "6rem", isNumber: true, cell: ({ size }) => bytes(size) },
  { name: "Changed", width: "8.5rem", from: "sm", cell: ({ modifiedAt }) => <When at={modifiedAt} /> },
];

interface FoundLine {
  path: string;
  line: number;
  text: string;
}

const lineColumns = (search: FilesSearch): Column<FoundLine>[] => [
  {
    name: "Where",
    width: "minmax(7rem, 1fr)",
    cell: ({ path, line }) => (
      <span className="flex min-w-0">
        <PathLink search={search} path={path} />
        <span className="text-ink-3 tabular-nums">:{line}</span>
      </span>
    ),
  },
  {
    name: "Line",
    width: "minmax(8rem, 2fr)",
    cell: ({ text }) => (
      <span className="font-mono text-xs">
        <Words text={text.trim()} />
      </span>
    ),
  },
];

const PathLink = ({ search, path }: { search: FilesSearch; path: string }) => (
  <Link
    to="/files"
    search={{ ...search, open: path }}
    {...ROW_LINK}
    className={`${ROW_LINK.className} min-w-0`}
  >
    <Words text={path} />
  </Link>
);
