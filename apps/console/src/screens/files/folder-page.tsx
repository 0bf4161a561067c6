import { type ChangeEvent, useRef, useState } from "react";
import { filesChosen, filesDropped } from "../../data/read-files.ts";
import { useMayWrite, useMe } from "../../data/session.ts";
import { useFolder } from "../../data/workspace-files.ts";
import { Button } from "../../design/button.tsx";
import { DropZone } from "../../design/drop-zone.tsx";
import { FilePlus, FolderOpen, Pencil, Upload } from "../../design/icons.tsx";
import { moreOf, NextPageFailed } from "../../design/next-page.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { Table } from "../../design/table.tsx";
import { useSelection } from "../../design/use-selection.ts";
import { Room } from "../../design/room.tsx";
import { bytes, count } from "../../format/numbers.ts";
import { FileBulkBar } from "./file-bulk-bar.tsx";
import { columnsOf } from "./file-columns.tsx";
import { rowsOf } from "./file-rows.ts";
import { type ChangeFiles, type FilesSearch, joined, workspaceOf } from "./files-search.ts";
import { Found } from "./found.tsx";
import { Breadcrumbs, SearchForm, WorkspaceChoice } from "./folder-head.tsx";
import { MoveFile } from "./move-file.tsx";
import { NewFile } from "./new-file.tsx";
import { UploadBar } from "./upload-bar.tsx";
import { useUploads } from "./use-uploads.ts";

interface Props {
  search: FilesSearch;
  change: ChangeFiles;
}

/** One folder of a workspace, or what was found below it. */
export function FolderPage({ search, change }: Props) {
  const mayWrite = useMayWrite();
  const fileBytesMax = useMe().limits?.maxFileBytes ?? 0;
  const workspace = workspaceOf(search);
  const folder = search.in ?? "";
  const uploads = useUploads(workspace, folder, fileBytesMax);
  const [isMaking, setMaking] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const isSearching = search.q !== undefined || search.glob !== undefined;
  return (
    <DropZone
      says={`Drop files or folders: they go into ${folder === "" ? "the workspace" : folder}`}
      onDrop={(items) => void filesDropped(items).then(uploads.send)}
      isOff={!mayWrite}
    >
      <PageHead
        title="Files"
        actions={
          mayWrite && (
            <>
              {folder !== "" && (
                <Button icon={Pencil} onClick={() => setMoving(true)}>
                  Move folder
                </Button>
              )}
              <Button icon={FilePlus} onClick={() => setMaking(true)}>
                New file
              </Button>
              <UploadButton
                title={`Up to ${bytes(fileBytesMax)} a file; folders may be dropped on the page`}
                onChoose={(files) => void uploads.send(filesChosen(files))}
              />
            </>
          )
        }
      >
        <p className="-mt-2 mb-3 max-w-3xl text-ink-2">
          What tools and agents read and write by their file tools and <code>utils.fs</code>: no file of the
          host is among them.
        </p>
        <WorkspaceChoice search={search} change={change} />
      </PageHead>
      <div className="p-4 md:px-6">
        <Breadcrumbs folder={folder} search={search} />
        <SearchForm search={search} change={change} />
        <UploadBar uploads={uploads} />
        {isSearching ? (
          <Found search={search} workspace={workspace} folder={folder} change={change} />
        ) : (
          <FolderList
            key={`${search.agent ?? ""} ${search.user ?? ""} ${folder}`}
            search={search}
            folder={folder}
            mayWrite={mayWrite}
          />
        )}
      </div>
      {isMoving && (
        <MoveFile
          what="folder"
          workspace={workspace}
          path={folder}
          onClose={() => setMoving(false)}
          onMoved={(to) => {
            setMoving(false);
            change({ in: to }, true);
          }}
        />
      )}
      {isMaking && (
        <NewFile
          workspace={workspace}
          folder={folder}
          onClose={() => setMaking(false)}
          onMade={(path) => change({ open: joined(folder, path) })}
        />
      )}
    </DropZone>
  );
}

interface UploadProps {
  title: string;
  onChoose: (files: FileList) => void;
}

function UploadButton({ title, onChoose }: UploadProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    if (target.files !== null && target.files.length > 0) onChoose(target.files);
    // The same file may be chosen again.
    target.value = "";
  };
  return (
    <>
      <input ref={input} type="file" multiple hidden aria-label="Files to upload" onChange={choose} />
      <Button look="primary" icon={Upload} title={title} onClick={() => input.current?.click()}>
        Upload
      </Button>
    </>
  );
}

interface ListProps {
  search: FilesSearch;
  folder: string;
  mayWrite: boolean;
}

function FolderList({ search, folder, mayWrite }: ListProps) {
  const workspace = workspaceOf(search);
  const { limits } = useMe();
  const found = useFolder(workspace, folder);
  const rows = rowsOf(found.data?.pages ?? []);
  const selected = useSelection(rows);
  if (found.isPending) return <Loading what="the files" />;
  if (found.data === undefined) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  const usage = found.data.pages[0]?.usage;
  return (
    <>
      {rows.length === 0 ? (
        <Picture
          icon={FolderOpen}
          title={folder === "" ? "There are no files here yet" : "There is nothing in it"}
        >
          {mayWrite
            ? "Drop files on the page, or make one. What tools write for this workspace shows up here, too."
            : "What tools write for this workspace shows up here."}
        </Picture>
      ) : (
        <Table
          label="Files"
          columns={columnsOf(search, mayWrite ? selected : null)}
          rows={rows}
          keyOf={({ id }) => id}
          more={moreOf(found)}
          isFetching={found.isFetchingNextPage}
          isSelected={({ id }) => selected.has(id)}
        />
      )}
      <NextPageFailed found={found} />
      <FileBulkBar workspace={workspace} selected={selected} />
      {usage !== undefined && limits !== null && (
        <Room
          label="Room for files"
          bars={[
            { name: "Files", used: usage.files, allowed: limits.maxFiles, words: count },
            { name: "Bytes", used: usage.bytes, allowed: limits.maxAllFileBytes, words: bytes },
          ]}
        >
          Of all workspaces of the tenant. A file may have {bytes(limits.maxFileBytes)}.
        </Room>
      )}
    </>
  );
}
