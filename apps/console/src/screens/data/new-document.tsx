import { useState } from "react";
import { isConflict } from "../../data/api.ts";
import { type Place, useWriteDocument } from "../../data/documents.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, Refusal, TextInput } from "../../design/fields.tsx";
import { secondsOf } from "./data-search.ts";
import { DocumentFields, faultOf } from "./document-form.tsx";

interface Props {
  place: Place;
  onClose: () => void;
  onMade: (id: string) => void;
}

/** Puts a document under an id that none has yet. */
export function NewDocument({ place, onClose, onMade }: Props) {
  const [id, setId] = useState("");
  const [draft, setDraft] = useState({ text: "{}\n", ttl: "" });
  const write = useWriteDocument(place);
  const isReady = id !== "" && faultOf(draft) === null;
  const make = (): void => {
    if (!isReady || write.isPending) return;
    write.mutate(
      {
        id,
        value: JSON.parse(draft.text) as unknown,
        ttlSeconds: secondsOf(draft.ttl) ?? undefined,
        version: null,
      },
      { onSuccess: () => onMade(id) },
    );
  };
  const isThere = isConflict(write.error);
  return (
    <Dialog
      title={`New document in ${place.collection}`}
      place="side"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" isBusy={write.isPending} disabled={!isReady} onClick={make}>
            Put it there
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label="Id" fault={isThere ? "A document has this id already." : undefined}>
          {(tie) => (
            <TextInput
              {...tie}
              data-first
              value={id}
              onChange={({ target }) => {
                write.reset();
                setId(target.value);
              }}
            />
          )}
        </Field>
        <DocumentFields draft={draft} change={setDraft} onSave={make} />
        {!isThere && <Refusal error={write.error} />}
      </div>
    </Dialog>
  );
}
