import type { File as WorkspaceFile, ListFileVersionsAnswer } from "@bulkhead/client";
import { useState } from "react";
import { isConflict, wordsOf } from "../../data/api.ts";
import { useMayWrite } from "../../data/session.ts";
import {
  downloadAddress,
  SHOWN_BYTES_MAX,
  useFileBytes,
  useFileWork,
  type Workspace,
} from "../../data/workspace-files.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Download, GitCompareArrows, RotateCcw } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { SideBySide } from "../../design/side-by-side.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { bytes } from "../../format/numbers.ts";
import { textOf } from "./file-kinds.ts";
import { nameOf } from "./files-search.ts";

type Version = ListFileVersionsAnswer["versions"][number];

interface Props {
  workspace: Workspace;
  file: WorkspaceFile;
  versions: readonly Version[];
}

/** The versions that are kept, the newest first; one of them beside the present one, which it can be again. */
export function FileVersions({ workspace, file, versions }: Props) {
  const [seen, setSeen] = useState<number | null>(null);
  const former = versions.find(({ version }) => version === seen);
  return (
    <div className="flex flex-col gap-4">
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
        {versions.map(({ version, size, modifiedAt, modifiedBy }) => {
          const isNow = version === file.version;
          return (
            <li key={version} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
              <span className="w-24 font-medium">Version {version}</span>
              {isNow && <Badge tone="good">now</Badge>}
              <span className="text-ink-2 tabular-nums">{bytes(size)}</span>
              <When at={modifiedAt} />
              <span className="min-w-0 font-mono text-xs text-ink-3">
                <Words text={modifiedBy} />
              </span>
              {!isNow && (
                <span className="ml-auto flex gap-1.5">
                  <Button
                    icon={GitCompareArrows}
                    aria-pressed={seen === version}
                    onClick={() => setSeen(seen === version ? null : version)}
                  >
                    Compare
                  </Button>
                  <a
                    href={downloadAddress(workspace, file.path, version)}
                    download={nameOf(file.path)}
                    aria-label={`Download version ${version}`}
                    title="Download"
                    className="inline-flex size-8 items-center justify-center rounded-md border border-line-strong bg-surface hover:bg-hover"
                  >
                    <Download size={15} />
                  </a>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {versions.length === 1 && (
        <p className="text-sm text-ink-3">No former version is kept. A change of the file makes one.</p>
      )}
      {former !== undefined && (
        <Compared key={former.version} workspace={workspace} file={file} former={former} />
      )}
    </div>
  );
}

function Compared({
  workspace,
  file,
  former,
}: {
  workspace: Workspace;
  file: WorkspaceFile;
  former: Version;
}) {
  const mayWrite = useMayWrite();
  const isShown = Math.max(file.size, former.size) <= SHOWN_BYTES_MAX;
  const then = useFileBytes(workspace, file.path, former, isShown);
  const now = useFileBytes(workspace, file.path, file, isShown);
  const write = useFileWork("write", workspace);
  if (!isShown)
    return (
      <p className="text-sm text-ink-2">
        Versions of more than {bytes(SHOWN_BYTES_MAX)} are not compared here. Download both.
      </p>
    );
  const error = then.error ?? now.error;
  if (error !== null)
    return <Failed error={error} onRetry={() => void Promise.all([then.refetch(), now.refetch()])} />;
  if (then.data === undefined || now.data === undefined) return <Loading what="both versions" />;
  const content = then.data.slice();
  const [before, after] = [textOf(then.data, true), textOf(now.data, true)];
  const restore = (): void =>
    write.mutate(
      { path: file.path, content, expected: file.inherited ? "none" : { etag: file.etag } },
      {
        onSuccess: () => notify("good", `The file is as version ${former.version} was.`),
        onError: (fault) =>
          notify(
            "bad",
            isConflict(fault)
              ? "Somebody has changed the file meanwhile. Look at its versions again."
              : `It could not be restored. ${wordsOf(fault)}`,
          ),
      },
    );
  return (
    <div>
      {mayWrite && (
        <div className="mb-2 flex justify-end">
          <Button icon={RotateCcw} isBusy={write.isPending} onClick={restore}>
            Restore version {former.version}
          </Button>
        </div>
      )}
      {before === null || after === null ? (
        <p className="text-sm text-ink-2">It is no text: nothing can be shown side by side.</p>
      ) : (
        <SideBySide
          label={`Version ${former.version} against the present one`}
          names={[`Version ${former.version}`, `Version ${file.version}, now`]}
          before={before}
          after={after}
        />
      )}
    </div>
  );
}
