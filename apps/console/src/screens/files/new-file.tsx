import { useState } from "react";
import { isConflict } from "../../data/api.ts";
import { useFileWork, type Workspace } from "../../data/workspace-files.ts";
import { Field, Refusal, TextInput } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { joined } from "./files-search.ts";

interface Props {
  workspace: Workspace;
  folder: string;
  onClose: () => void;
  onMade: (path: string) => void;
}

/** Makes an empty file of a name; folders are made by their names in it. */
export function NewFile({ workspace, folder, onClose, onMade }: Props) {
  const [name, setName] = useState("");
  const write = useFileWork("write", workspace);
  const make = (): void => {
    const path = name.trim();
    // With a line in it: some files that are empty are as good as none.
    write.mutate(
      { path: joined(folder, path), content: "\n", expected: "none" },
      { onSuccess: () => onMade(path) },
    );
  };
  const isThere = isConflict(write.error);
  return (
    <FormDialog
      title="New file"
      onClose={onClose}
      does="Make it"
      isBusy={write.isPending}
      cannotSend={name.trim() === ""}
      onSubmit={make}
    >
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
    </FormDialog>
  );
}
