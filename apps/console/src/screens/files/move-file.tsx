import { BulkheadError } from "@bulkhead/client";
import { useState } from "react";
import { useFileWork, type Workspace } from "../../data/workspace-files.ts";
import { Field, Refusal, TextInput, Toggle } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";

interface Props {
  what?: "file" | "folder";
  workspace: Workspace;
  path: string;
  onClose: () => void;
  onMoved: (to: string) => void;
}

/** Gives a file, or a folder with all in it, another path, and asks before a file takes the place of another. */
export function MoveFile({ what = "file", workspace, path, onClose, onMoved }: Props) {
  const [to, setTo] = useState(path);
  const [isOver, setOver] = useState(false);
  const move = useFileWork("move", workspace);
  const isTaken = move.error instanceof BulkheadError && move.error.code === "file.exists";
  const submit = (): void => {
    const next = to.trim();
    move.mutate({ from: path, to: next, overwrite: isOver }, { onSuccess: () => onMoved(next) });
  };
  return (
    <FormDialog
      title={`Move the ${what}`}
      onClose={onClose}
      does="Move"
      isBusy={move.isPending}
      cannotSend={to.trim() === "" || to.trim() === path}
      onSubmit={submit}
    >
      <Field
        label="New path"
        hint="From the root of the workspace; folders are made by their names."
        fault={isTaken ? "A file of this path is there already." : undefined}
      >
        {(tie) => (
          <TextInput
            {...tie}
            data-first
            value={to}
            onChange={({ target }) => {
              move.reset();
              setOver(false);
              setTo(target.value);
            }}
          />
        )}
      </Field>
      {(isTaken || isOver) && (
        <Toggle label="Put it in the other one's place" isOn={isOver} onTurn={setOver} />
      )}
      {!isTaken && <Refusal error={move.error} />}
    </FormDialog>
  );
}
