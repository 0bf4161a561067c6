import type { DataDocument } from "@bulkhead/client";
import { useState } from "react";
import { isConflict } from "../../data/api.ts";
import { type Place, useDeleteDocument, useDocument } from "../../data/documents.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { CopyButton } from "../../design/copy-button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Refusal } from "../../design/fields.tsx";
import { Pencil, Trash } from "../../design/icons.tsx";
import { JsonTree } from "../../design/json-tree.tsx";
import { notify } from "../../design/notices.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Facts } from "../../design/part.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { DocumentEditor } from "./document-editor.tsx";
import { textOf } from "./document-form.tsx";

interface Props {
  place: Place;
  id: string;
  mayWrite: boolean;
  onClose: () => void;
}

/** One document: what is in it, since when and for how long. */
export function DocumentRecord(props: Props) {
  const { place, id, onClose } = props;
  const { data: document, error, isPending, refetch } = useDocument(place, id);
  const [begun, setBegun] = useState<DataDocument | null>(null);
  if (begun !== null) return <DocumentEditor place={place} document={begun} onDone={() => setBegun(null)} />;
  if (document !== undefined) return <Seen {...props} document={document} edit={() => setBegun(document)} />;
  return (
    <Dialog title={id} place="side" onClose={onClose}>
      {isPending ? <Loading what="the document" /> : <Failed error={error} onRetry={() => void refetch()} />}
    </Dialog>
  );
}

function Seen({
  place,
  id,
  document,
  mayWrite,
  edit,
  onClose,
}: Props & { document: DataDocument; edit: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteDocument(place);
  const drop = (): void =>
    remove.mutate(document, {
      onSuccess: () => {
        notify("good", `${id} is deleted.`);
        onClose();
      },
    });
  return (
    <Dialog
      title={id}
      place="side"
      onClose={onClose}
      actions={
        mayWrite && (
          <>
            <Button look="danger" icon={Trash} onClick={() => setAsking(true)}>
              Delete
            </Button>
            <Button look="primary" icon={Pencil} onClick={edit}>
              Edit
            </Button>
          </>
        )
      }
    >
      <div className="relative rounded-lg border border-line bg-surface p-3 pr-10">
        <CopyButton
          text={textOf(document.value)}
          what="the document"
          className="absolute top-1.5 right-1.5 bg-surface!"
        />
        <JsonTree value={document.value} />
      </div>
      <div className="mt-4">
        <Facts
          facts={[
            ["Version", document.version],
            ["Made", <When key="made" at={document.createdAt} />],
            ["Made by", <Words key="by" text={document.createdBy} />],
            ["Changed", <When key="changed" at={document.updatedAt} />],
            ["Changed by", <Words key="changed by" text={document.updatedBy} />],
            ["Gone", document.expiresAt === null ? "never" : <When key="gone" at={document.expiresAt} />],
          ]}
        />
      </div>
      {isAsking && (
        <Confirm
          title="Delete the document?"
          does="Delete"
          isBusy={remove.isPending}
          onConfirm={drop}
          onClose={() => setAsking(false)}
        >
          <Words text={id} /> goes for good.
          {isConflict(remove.error) ? (
            <p role="alert" className="mt-2 text-bad">
              It was changed since you looked at it. Close it, and look again.
            </p>
          ) : (
            <Refusal error={remove.error} />
          )}
        </Confirm>
      )}
    </Dialog>
  );
}
