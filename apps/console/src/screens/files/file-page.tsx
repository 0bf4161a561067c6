import type { File as WorkspaceFile, ListFileVersionsAnswer } from "@bulkhead/client";
import { useState } from "react";
import { useMayWrite } from "../../data/session.ts";
import { downloadAddress, useFileVersions, useFileWork, type Workspace } from "../../data/workspace-files.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Download, Pencil, Trash } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { Refusal } from "../../design/fields.tsx";
import { bytes } from "../../format/numbers.ts";
import { FileContent } from "./file-content.tsx";
import { FileVersions } from "./file-versions.tsx";
import { type ChangeFiles, type FilesSearch, folderOf, nameOf, workspaceOf } from "./files-search.ts";
import { Breadcrumbs } from "./folder-head.tsx";
import { MoveFile } from "./move-file.tsx";

interface Props {
  search: FilesSearch;
  path: string;
  change: ChangeFiles;
}

const TABS = [
  { name: "content", title: "Content" },
  { name: "versions", title: "Versions" },
] as const;

/** One file: what is in it, what was, and what can be done to it. */
export function FilePage({ search, path, change }: Props) {
  const workspace = workspaceOf(search);
  const { data, error, isPending, refetch } = useFileVersions(workspace, path);
  const { tab = "content" } = search;
  return (
    <>
      <PageHead
        title={nameOf(path)}
        badges={
          data !== undefined && (
            <>
              {data.file.inherited && <Badge tone="calm">inherited</Badge>}
              <span className="text-sm text-ink-3">
                {bytes(data.file.size)} · version {data.file.version} · <When at={data.file.modifiedAt} />
              </span>
            </>
          )
        }
        actions={
          <FileActions workspace={workspace} path={path} file={data?.file} search={search} change={change} />
        }
      >
        <Breadcrumbs folder={folderOf(path)} search={{ ...search, in: folderOf(path) }} isWhole />
        <Tabs label="Parts of the file" tabs={TABS} current={tab} />
      </PageHead>
      <div className="p-4 md:px-6">
        {isPending ? (
          <Loading what="the file" />
        ) : data === undefined ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Parts workspace={workspace} data={data} tab={tab} />
        )}
      </div>
    </>
  );
}

interface PartsProps {
  workspace: Workspace;
  data: ListFileVersionsAnswer;
  tab: string;
}

const Parts = ({ workspace, data: { file, versions }, tab }: PartsProps) => (
  <>
    {file.inherited && (
      <p className="mb-3 rounded-md bg-info-soft px-3 py-2 text-sm">
        This workspace has no such file of its own: it reads another&apos;s. A save makes its own.
      </p>
    )}
    {tab === "versions" ? (
      <FileVersions workspace={workspace} file={file} versions={versions} />
    ) : (
      <FileContent workspace={workspace} file={file} />
    )}
  </>
);

interface ActionsProps {
  workspace: Workspace;
  path: string;
  /** Undefined while it is not known. */
  file: WorkspaceFile | undefined;
  search: FilesSearch;
  change: ChangeFiles;
}

function FileActions({ workspace, path, file, search, change }: ActionsProps) {
  const mayWrite = useMayWrite();
  const [asked, setAsked] = useState<"move" | "delete" | null>(null);
  const remove = useFileWork("remove", workspace);
  const leave = (): void => change({ open: undefined, tab: undefined, in: folderOf(path) || undefined });
  const isOwn = file !== undefined && !file.inherited;
  return (
    <>
      {file !== undefined && (
        <a
          href={downloadAddress(workspace, path)}
          download={nameOf(path)}
          className="inline-flex h-8 items-center gap-1.5 rounded-md border border-line-strong bg-surface px-3 text-sm font-medium hover:bg-hover"
        >
          <Download size={15} />
          Download
        </a>
      )}
      {mayWrite && isOwn && (
        <>
          <Button icon={Pencil} onClick={() => setAsked("move")}>
            Move
          </Button>
          <Button look="danger" icon={Trash} onClick={() => setAsked("delete")}>
            Delete
          </Button>
        </>
      )}
      {asked === "move" && (
        <MoveFile
          workspace={workspace}
          path={path}
          onClose={() => setAsked(null)}
          onMoved={(to) => change({ ...search, open: to }, true)}
        />
      )}
      {asked === "delete" && (
        <Confirm
          title="Delete the file?"
          does="Delete"
          isBusy={remove.isPending}
          onConfirm={() =>
            remove.mutate(
              { path, isFolder: false },
              {
                onSuccess: () => {
                  notify("good", `${path} is deleted.`);
                  leave();
                },
              },
            )
          }
          onClose={() => setAsked(null)}
        >
          <Words text={path} /> goes with all its versions, for good.
          <Refusal error={remove.error} />
        </Confirm>
      )}
    </>
  );
}
