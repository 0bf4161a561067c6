import type { DataDocument } from "@bulkhead/client";
import { useState } from "react";
import { isConflict, wordsOf } from "../../data/api.ts";
import { type Place, readDocument, useWriteDocument } from "../../data/documents.ts";
import { Button } from "../../design/button.tsx";
import { Conflict } from "../../design/conflict.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Refusal } from "../../design/fields.tsx";
import { notify } from "../../design/notices.tsx";
import { SideBySide } from "../../design/side-by-side.tsx";
import { secondsLeft, secondsOf } from "./data-search.ts";
import { DocumentFields, type DocumentDraft, faultOf, textOf } from "./document-form.tsx";

interface Props {
  place: Place;
  /** As it was when the change was begun. */
  document: DataDocument;
  onDone: () => void;
}

const draftOf = ({ value, expiresAt }: DataDocument): DocumentDraft => ({
  text: textOf(value),
  ttl: secondsLeft(expiresAt, new Date()),
});

/** Changes a document over the version that was seen, and over no other. */
export function DocumentEditor({ place, document: first, onDone }: Props) {
  const [base, setBase] = useState(first);
  const [draft, setDraft] = useState(() => draftOf(first));
  const [theirs, setTheirs] = useState<DataDocument | null>(null);
  const write = useWriteDocument(place);
  const isReady = faultOf(draft) === null;
  const showTheirs = async (): Promise<void> => {
    try {
      setTheirs(await readDocument(place, base.id));
    } catch (error) {
      notify("bad", `Somebody else has changed the document, and it could not be read. ${wordsOf(error)}`);
    }
  };
  const save = (): void => {
    if (!isReady || write.isPending) return;
    const value = JSON.parse(draft.text) as unknown;
    const ttlSeconds = secondsOf(draft.ttl) ?? undefined;
    write.mutate(
      { id: base.id, value, ttlSeconds, version: base.version },
      {
        onSuccess: () => {
          notify("good", "The document is saved.");
          onDone();
        },
        onError: (error) => {
          if (isConflict(error)) void showTheirs();
        },
      },
    );
  };
  const goOn = (now: DataDocument, next: DocumentDraft): void => {
    setTheirs(null);
    write.reset();
    setBase(now);
    setDraft(next);
  };
  return (
    <Dialog
      title={`Change ${base.id}`}
      place="side"
      onClose={onDone}
      actions={
        <>
          <Button onClick={onDone}>Cancel</Button>
          <Button look="primary" isBusy={write.isPending} disabled={!isReady} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <DocumentFields draft={draft} change={setDraft} onSave={save} />
      {!isConflict(write.error) && <Refusal error={write.error} />}
      {theirs !== null && (
        <Conflict
          title="Somebody else has changed the document"
          says="Nothing of yours was saved, and nothing of theirs is lost. Go on with yours to bring their changes into your text, then save again."
          isBusy={write.isPending}
          onTakeTheirs={() => goOn(theirs, draftOf(theirs))}
          onGoOn={() => goOn(theirs, draft)}
          onClose={() => setTheirs(null)}
        >
          <SideBySide
            label="Their document against yours"
            names={["As they saved it", "Yours, not saved"]}
            before={textOf(theirs.value)}
            after={draft.text}
          />
        </Conflict>
      )}
    </Dialog>
  );
}
