import type { Approval } from "@bulkhead/client";
import { useState } from "react";
import { useAnswer } from "../../data/approvals.ts";
import { useMayAnswer } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field } from "../../design/fields.tsx";
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
        {(tie) => (
          <textarea
            {...tie}
            data-first
            rows={12}
            value={text}
            spellCheck={false}
            onChange={({ target }) => setText(target.value)}
            className="w-full resize-y rounded-md border border-line-strong bg-surface p-3 font-mono text-sm aria-invalid:border-bad"
          />
        )}
      </Field>
    </Dialog>
  );
}
