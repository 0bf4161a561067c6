import type { Approval } from "@bulkhead/client";
import { useState } from "react";
import { useAnswer } from "../../data/approvals.ts";
import { useMayAnswer } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, JsonArea } from "../../design/fields.tsx";
import { wordsLine } from "../../design/words.tsx";
import { jsonObjectIn } from "../../format/json-object.ts";
import { tellAnswered } from "./tell-answered.ts";

interface Props {
  approval: Extract<Approval, { kind: "execution" }>;
}

/** Allows a call with what the person writes in place of its arguments; the agent sees that they were changed. */
export function ChangeArguments({ approval }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (!useMayAnswer()) return null;
  return (
    <>
      <Button look="quiet" className="h-7 px-2" onClick={() => setOpen(true)}>
        Change
      </Button>
      {isOpen && <Changing approval={approval} onClose={() => setOpen(false)} />}
    </>
  );
}

function Changing({ approval, onClose }: Props & { onClose: () => void }) {
  const answer = useAnswer(tellAnswered);
  const [text, setText] = useState(() => JSON.stringify(approval.arguments, null, 2));
  const read = jsonObjectIn(text);
  const allow = (): void => {
    if (typeof read === "string") return;
    const said = { kind: "once", arguments: read } as const;
    answer.mutate(
      { approvals: [approval], answer: said },
      {
        onSuccess: (failed) => {
          if (failed.length === 0) onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={`Allow ${wordsLine(approval.toolName)} once, with other arguments`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            isBusy={answer.isPending}
            disabled={typeof read === "string"}
            onClick={allow}
          >
            Allow once
          </Button>
        </>
      }
    >
      <Field
        label="Arguments"
        hint="JSON, as the tool's parameters take it. The agent is told that a person changed them."
        fault={typeof read === "string" ? read : undefined}
      >
        {(tie) => <JsonArea {...tie} data-first rows={12} text={text} change={setText} />}
      </Field>
    </Dialog>
  );
}
