import { type FormEvent, useState } from "react";
import { isConflict } from "../../data/api.ts";
import { useFileWork, type Workspace } from "../../data/workspace-files.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, Refusal, TextInput } from "../../design/fields.tsx";
import { joined } from "./files-search.ts";

interface Props {
  workspace: Workspace;
  folder: string;
  onClose: () => void;
  onMade: (path: string) => void;
}

const FORM = "new-file";

/** Makes an empty file of a name; folders are made by their names in it. */
export function NewFile({ workspace, folder, onClose, onMade }: Props) {
  const [name, setName] = useState("");
  const write = useFileWork("write", workspace);
  const make = (event: FormEvent): void => {
    event.preventDefault();
    const path = name.trim();
    // With a line in it: some files that are empty are as good as none.
    write.mutate(
      { path: joined(folder, path), content: "\n", expected: "none" },
      { onSuccess: () => onMade(path) },
    );
  };
  const isThere = isConflict(write.error);
  return (
    <Dialog
      title="New file"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            form={FORM}
            isBusy={write.isPending}
            disabled={name.trim() === ""}
          >
            Make it
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={make} className="flex flex-col gap-3">
        <Field
          label="Name"
          hint={`${folder === "" ? "In the workspace" : `In ${folder}`}; a / makes folders, as in notes/today.md.`}
          fault={isThere ? "A file of this name is there already." : undefined}
        >
          {(tie) => (
            <TextInput
              {...tie}
              data-first
              value={name}
              onChange={({ target }) => {
                write.reset();
                setName(target.value);
              }}
            />
          )}
        </Field>
        {!isThere && <Refusal error={write.error} />}
      </form>
    </Dialog>
  );
}
