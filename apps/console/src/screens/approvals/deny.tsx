import type { Approval } from "@bulkhead/client";
import { useState } from "react";
import type { Answer } from "../../data/approvals.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, TextArea } from "../../design/fields.tsx";
import { wordsLine } from "../../design/words.tsx";
import { Calls } from "./calls.tsx";

const REASON_CHARS_MAX = 1_000;

interface Props {
  approvals: readonly Approval[];
  isBusy: boolean;
  give: (answer: Answer) => void;
  onClose: () => void;
}

/** Asks for a reason, which whoever asked is told, and denies. */
export function Deny({ approvals, isBusy, give, onClose }: Props) {
  const [reason, setReason] = useState("");
  const [first, ...others] = approvals;
  if (first === undefined) return null;
  const title =
    others.length === 0
      ? `Deny the call of ${wordsLine(first.toolName)}?`
      : `Deny ${approvals.length.toLocaleString()} calls?`;
  const deny = (): void =>
    give(reason.trim() === "" ? { kind: "deny" } : { kind: "deny", reason: reason.trim() });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" isBusy={isBusy} onClick={deny}>
            {others.length === 0 ? "Deny" : `Deny ${approvals.length.toLocaleString()} calls`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {others.length > 0 && <Calls approvals={approvals} />}
        <Field
          label="Reason"
          hint={`Optional. The agent is told, so that it can choose another way. ${(REASON_CHARS_MAX - reason.length).toLocaleString()} characters left; Ctrl-Enter denies.`}
        >
          {(tie) => (
            <TextArea
              {...tie}
              data-first
              rows={4}
              value={reason}
              maxLength={REASON_CHARS_MAX}
              onChange={({ target }) => setReason(target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isBusy) deny();
              }}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
