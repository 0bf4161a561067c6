import type { Execution, Tool } from "@bulkhead/client";
import { useState } from "react";
import { useCallAgain } from "../../data/execution-actions.ts";
import { useTool } from "../../data/tools.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, JsonArea } from "../../design/fields.tsx";
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
  const tool = useTool(execution.toolId ?? execution.toolName);
  const [isAsItRan, setAsItRan] = useState(false);
  const [fault, setFault] = useState<string>();
  const call = useCallAgain();
  const submit = (): void => {
    const args = jsonObjectIn(text);
    setFault(typeof args === "string" ? args : undefined);
    if (typeof args === "string") return;
    const version = isAsItRan ? { version: execution.toolVersion } : {};
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
          {(tie) => <JsonArea {...tie} autoFocus rows={18} text={text} change={setText} onSend={submit} />}
        </Field>
        {tool.data !== undefined && (
          <WhichVersion
            ran={execution.toolVersion}
            tool={tool.data}
            isAsItRan={isAsItRan}
            choose={setAsItRan}
          />
        )}
        {call.error !== null && <FaultWords error={call.error} />}
      </div>
    </Dialog>
  );
}

interface VersionProps {
  /** The version that ran. */
  ran: number;
  tool: Tool;
  isAsItRan: boolean;
  choose: (isAsItRan: boolean) => void;
}

/** Says which version will run: the tool may have been changed since, or may wait to be. */
const WhichVersion = ({ ran, tool: { version, pendingVersion }, isAsItRan, choose }: VersionProps) => (
  <div className="flex flex-col gap-1.5 text-sm">
    <p>
      {version === ran
        ? `Version ${version} runs, as it did.`
        : isAsItRan
          ? `Version ${ran} runs, as it did; the tool is at version ${version} by now.`
          : `Version ${version} runs, the tool as it is now; this call was of version ${ran}.`}
      {pendingVersion !== undefined &&
        ` Version ${pendingVersion} waits for a person to approve it, and does not run before.`}
    </p>
    {version !== ran && (
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isAsItRan}
          onChange={({ target }) => choose(target.checked)}
        />
        Run version {ran} again
      </label>
    )}
  </div>
);
