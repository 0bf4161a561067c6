import { useEffect, useState } from "react";
import { wordsOf } from "../../../data/api.ts";
import { type Existing, type ImportedTool, useImport } from "../../../data/import-tools.ts";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Select } from "../../../design/fields.tsx";
import { LoaderCircle } from "../../../design/icons.tsx";
import { notify } from "../../../design/notices.tsx";
import { Words } from "../../../design/words.tsx";
import { toolsInWords } from "../tool-words.ts";
import { FoldersAsked } from "./folders-asked.tsx";
import { ImportPlan } from "./import-plan.tsx";
import type { ImportSource } from "../../../data/read-files.ts";

interface Props {
  /** Null: it asks for a folder or a zip first. */
  source: ImportSource | null;
  choose: (source: Promise<ImportSource>) => void;
  onClose: () => void;
}

const isChange = ({ outcome }: ImportedTool): boolean => outcome === "created" || outcome === "updated";

/** Tools of a folder or a zip: first what would be done, then, if a person says so, the import. */
export const ImportDialog = ({ source, choose, onClose }: Props) =>
  source === null ? (
    <Dialog title="Import tools" onClose={onClose}>
      <FoldersAsked choose={choose} />
    </Dialog>
  ) : (
    <Planned key={source.name} source={source} onClose={onClose} />
  );

function Planned({ source, onClose }: { source: ImportSource; onClose: () => void }) {
  const [existing, setExisting] = useState<Existing>("update");
  const { mutate: plan, ...planned } = useImport();
  const done = useImport();
  useEffect(() => plan({ source, existing, isPlan: true }), [plan, source, existing]);
  const changes = (planned.data ?? []).filter(isChange).length;
  const faults = "read" in source ? source.read.faults : [];
  const finish = (): void =>
    done.mutate(
      { source, existing, isPlan: false },
      { onSuccess: (tools) => notify("good", `${toolsInWords(tools.filter(isChange).length)} imported.`) },
    );
  const error = done.error ?? planned.error;
  const actions =
    done.data === undefined ? (
      <>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={changes === 0} isBusy={done.isPending} onClick={finish}>
          {changes === 0 ? "Nothing to import" : `Import ${toolsInWords(changes)}`}
        </Button>
      </>
    ) : (
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    );
  return (
    <Dialog
      title={
        <>
          {done.data === undefined ? "Import" : "Imported"} <Words text={source.name} />
        </>
      }
      place="side"
      actions={actions}
      onClose={onClose}
    >
      {done.data === undefined && (
        <label className="mb-4 flex flex-wrap items-center gap-2 text-sm">
          Tools that are there already
          <Select value={existing} onChange={({ target }) => setExisting(target.value as Existing)}>
            <option value="update">are updated</option>
            <option value="skip">are left alone</option>
          </Select>
        </label>
      )}
      {error !== null && (
        <p role="alert" className="mb-3 rounded-md bg-bad-soft px-3 py-2 text-sm">
          <Words text={wordsOf(error)} />
        </p>
      )}
      {planned.isPending && (
        <p role="status" className="flex items-center gap-2 text-sm text-ink-2">
          <LoaderCircle size={15} className="animate-spin" />
          Asking what would be done…
        </p>
      )}
      <ImportPlan tools={done.data ?? planned.data ?? []} faults={faults} isDone={done.data !== undefined} />
    </Dialog>
  );
}
