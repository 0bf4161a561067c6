import type { Execution } from "@bulkhead/client";
import { useState } from "react";
import { useCallAgain } from "../../data/execution-actions.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field } from "../../design/fields.tsx";
import { CirclePlay } from "../../design/icons.tsx";
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
    const parsed = parseArguments(text);
    setFault("fault" in parsed ? parsed.fault : undefined);
    if ("fault" in parsed) return;
    const version = isSameVersion ? { version: execution.toolVersion } : {};
    call.mutate(
      { of: execution, args: parsed.args, ...version },
      { onSuccess: ({ executionId }) => onDone(executionId) },
    );
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

/** The arguments that a text is; else what is wrong with it. */
function parseArguments(text: string): { args: Record<string, unknown> } | { fault: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { args: value as Record<string, unknown> };
    return { fault: "The arguments must be one object, in braces." };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
