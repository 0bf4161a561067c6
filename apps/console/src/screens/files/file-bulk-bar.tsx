import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { useFileWork, type Workspace } from "../../data/workspace-files.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Trash } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { SelectionBar } from "../../design/selection-bar.tsx";
import type { Selected } from "../../design/use-selection.ts";
import { Words } from "../../design/words.tsx";
import { count } from "../../format/numbers.ts";
import { type FileRow, isFolder } from "./file-rows.ts";

/** Deletes what is selected, folders with all in them; what could not be deleted stays selected. */
export function FileBulkBar({ workspace, selected }: { workspace: Workspace; selected: Selected<FileRow> }) {
  const rows = [...selected.seen, ...selected.unseen];
  const remove = useFileWork("remove", workspace);
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState<number | null>(null);
  const files = rows.reduce((sum, row) => sum + (isFolder(row) ? row.files : 1), 0);
  const run = async (): Promise<void> => {
    const failed = new Set<string>();
    setDone(0);
    for (const [at, row] of rows.entries()) {
      try {
        await remove.mutateAsync({ path: row.path, isFolder: isFolder(row) });
      } catch (error) {
        failed.add(row.id);
        notify("bad", `${row.path} could not be deleted. ${wordsOf(error)}`);
      }
      setDone(at + 1);
    }
    setDone(null);
    setAsking(false);
    selected.keep(failed);
    if (failed.size < rows.length) notify("good", `${count(rows.length - failed.size)} deleted.`);
  };
  if (rows.length === 0) return null;
  return (
    <SelectionBar
      label="Selected files"
      selected={selected}
      nameOf={({ path }) => <Words text={path} />}
      says={done === null ? undefined : `${count(done)} of ${count(rows.length)} done`}
    >
      <Button look="danger" icon={Trash} disabled={done !== null} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {isAsking && (
        <Confirm
          title={`Delete ${count(files)} ${files === 1 ? "file" : "files"}?`}
          does="Delete"
          isBusy={done !== null}
          onConfirm={() => void run()}
          onClose={() => setAsking(false)}
        >
          They go with all their versions, for good.
        </Confirm>
      )}
    </SelectionBar>
  );
}
