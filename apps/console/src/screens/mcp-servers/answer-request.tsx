import type { McpAccessRequest } from "@bulkhead/client";
import { useState } from "react";
import { useAnswerRequest } from "../../data/mcp-access.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, Refusal, TextArea } from "../../design/fields.tsx";
import { notify } from "../../design/notices.tsx";
import { Words } from "../../design/words.tsx";

interface Props {
  request: McpAccessRequest;
  isApproved: boolean;
  onClose: () => void;
}

const REASON_CHARS_MAX = 1_000;

/** A person's word on a request, with a reason for whoever asked. */
export function AnswerRequest({ request, isApproved, onClose }: Props) {
  const [reason, setReason] = useState("");
  const answer = useAnswerRequest();
  const { requestId, server, id, toolAllow } = request;
  const does = isApproved ? "Approve" : "Reject";
  const run = (): void =>
    answer.mutate(
      { id: requestId, isApproved, reason: reason.trim() },
      {
        onSuccess: () => {
          notify("good", `The request of ${id} is ${isApproved ? "approved" : "rejected"}.`);
          onClose();
        },
      },
    );
  return (
    <Dialog
      title={`${does} the request?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look={isApproved ? "primary" : "danger"} isBusy={answer.isPending} onClick={run}>
            {does}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm break-words text-ink-2">
          <strong className="text-ink">
            <Words text={id} />
          </strong>{" "}
          {isApproved ? "is given" : "is not given"}{" "}
          {toolAllow === null ? "every tool" : <Words text={toolAllow.join(", ")} />} of {server}
          {isApproved && " from now on, by a grant that can be taken away"}.
        </p>
        <Field label="Reason" hint="For whoever asked. It may stay empty.">
          {(tie) => (
            <TextArea
              {...tie}
              data-first
              rows={3}
              maxLength={REASON_CHARS_MAX}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
        <Refusal error={answer.error} />
      </div>
    </Dialog>
  );
}
