import type { Tool, ToolVersionSummary } from "@bulkhead/client";
import { type FormEvent, useState } from "react";
import { wordsOf } from "../../../data/api.ts";
import { useMayAnswer, useMayWrite } from "../../../data/session.ts";
import { type VersionStep, useVersionStep } from "../../../data/versions.ts";
import { Button } from "../../../design/button.tsx";
import { Field, TextArea } from "../../../design/fields.tsx";
import { FormDialog } from "../../../design/form-dialog.tsx";
import { Check, FlaskConical, RotateCcw, X } from "../../../design/icons.tsx";
import { notify } from "../../../design/notices.tsx";

const REASON_CHARS_MAX = 1_000;

const DONE = {
  approve: "approved: it runs from now on.",
  reject: "rejected.",
  restore: "runs again, as a new version.",
  try: "was tried out.",
} as const;

/** What a person may do with a version: decide about it, bring it back, or try it out. */
export function VersionSteps({ tool, version }: { tool: Tool; version: ToolVersionSummary }) {
  const steps = useVersionStep(tool.id);
  const mayWrite = useMayWrite();
  const mayApprove = useMayAnswer();
  const [isRejecting, setRejecting] = useState(false);
  const take = (wanted: VersionStep): void =>
    steps.mutate(wanted, {
      onSuccess: () => notify("good", `Version ${version.version} ${DONE[wanted.step]}`),
      onError: (error) => notify("bad", wordsOf(error)),
      onSettled: () => setRejecting(false),
    });
  const isBusy = (step: VersionStep["step"]): boolean => steps.isPending && steps.variables.step === step;
  const isPending = version.state === "pending";
  return (
    <span className="ml-auto flex flex-wrap gap-2">
      {mayWrite && tool.mcp === undefined && (
        <Button icon={FlaskConical} isBusy={isBusy("try")} onClick={() => take({ step: "try", version })}>
          Dry run
        </Button>
      )}
      {mayWrite && version.state === "approved" && !version.serving && (
        <Button
          icon={RotateCcw}
          isBusy={isBusy("restore")}
          onClick={() => take({ step: "restore", version })}
        >
          Restore
        </Button>
      )}
      {mayApprove && isPending && (
        <>
          <Button look="danger" icon={X} onClick={() => setRejecting(true)}>
            Reject…
          </Button>
          <Button
            look="primary"
            icon={Check}
            isBusy={isBusy("approve")}
            onClick={() => take({ step: "approve", version })}
          >
            Approve
          </Button>
        </>
      )}
      {isRejecting && (
        <Rejecting
          title={`Reject version ${version.version} of ${tool.name}?`}
          isBusy={steps.isPending}
          onClose={() => setRejecting(false)}
          onReject={(reason) => take({ step: "reject", version, reason })}
        />
      )}
    </span>
  );
}

interface RejectingProps {
  title: string;
  isBusy: boolean;
  onReject: (reason: string) => void;
  onClose: () => void;
}

function Rejecting({ title, isBusy, onReject, onClose }: RejectingProps) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    onReject((new FormData(event.currentTarget).get("reason") as string).trim());
  };
  return (
    <FormDialog title={title} onClose={onClose} does="Reject" isDanger isBusy={isBusy} onSubmit={submit}>
      <Field
        label="Reason"
        hint="Whoever proposed it sees it, an agent too, and can mend it. It may be left out."
      >
        {(tie) => <TextArea {...tie} name="reason" rows={3} autoFocus maxLength={REASON_CHARS_MAX} />}
      </Field>
    </FormDialog>
  );
}
