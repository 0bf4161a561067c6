import type { Execution } from "@bulkhead/client";
import { useState } from "react";
import { useCallAgain } from "../../data/execution-actions.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field } from "../../design/fields.tsx";
import { CirclePlay } from "../../design/icons.tsx";
import { jsonObjectIn } from "../../format/json-object.ts";
import { wordsLine } from "../../design/words.tsx";
import { FaultWords } from "./overview.tsx";

interface Props {
  execution: Execution;
  onClose: () => void;
  onDone: (executionId: string) => void;
}

/** The same call with other arguments, which the server checks by the tool's schema. */
export function ReplayEdited({ execution, onClose, onDone }: Props) {
  const [text, setText] = useState(() => JSON.stringify(execution.arguments, null, 2));
  const [isSameVersion, setSameVersion] = useState(true);
  const [fault, setFault] = useState<string>();
  const call = useCallAgain();
  const submit = (): void => {
    const args = jsonObjectIn(text);
    setFault(typeof args === "string" ? args : undefined);
    if (typeof args === "string") return;
    const version = isSameVersion ? { version: execution.toolVersion } : {};
    call.mutate({ of: execution, args, ...version }, { onSuccess: ({ executionId }) => onDone(executionId) });
  };
  return (
    <Dialog
      title={`Run ${wordsLine(execution.toolName)} with other arguments`}
      place="side"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" icon={CirclePlay} isBusy={call.isPending} onClick={submit}>
            Run tool
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field
          label="Arguments"
          hint="JSON. Ctrl-Enter runs the tool, for real, with the same context, as a new execution."
          fault={fault}
        >
          {(tie) => (
            <textarea
              {...tie}
              autoFocus
              value={text}
              spellCheck={false}
              rows={18}
              onChange={({ target }) => setText(target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
              }}
              className="w-full resize-y rounded-md border border-line-strong bg-surface p-3 font-mono text-sm aria-invalid:border-bad"
            />
          )}
        </Field>
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isSameVersion}
            onChange={({ target }) => setSameVersion(target.checked)}
          />
          Run version {execution.toolVersion}, as it did
        </label>
        {call.error !== null && <FaultWords error={call.error} />}
      </div>
    </Dialog>
  );
}
