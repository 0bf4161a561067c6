import type { Tool } from "@bulkhead/client";
import { CirclePlay, Square } from "../../design/icons.tsx";
import { useState } from "react";
import { useRun } from "../../data/runs.ts";
import { Button } from "../../design/button.tsx";
import { Field } from "../../design/fields.tsx";
import { jsonObjectIn } from "../../format/json-object.ts";
import { exampleOf } from "./example-arguments.ts";
import { CopyCallMenu } from "../../run/copy-call-menu.tsx";
import { RunView } from "../../run/run-view.tsx";

/** Arguments as JSON, and the run beside them, as it happens. */
export function TestPanel({ tool }: { tool: Tool }) {
  const [text, setText] = useState(() => JSON.stringify(exampleOf(tool.parameters), null, 2));
  const [fault, setFault] = useState<string>();
  const { run, start, cancel, isRunning } = useRun(tool.id);

  const written = jsonObjectIn(text);

  function submit(): void {
    setFault(typeof written === "string" ? written : undefined);
    if (typeof written !== "string") void start(written);
  }

  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <div className="flex flex-col gap-3">
        <Field label="Arguments" hint="JSON. Ctrl-Enter runs the tool, for real." fault={fault}>
          {(tie) => (
            <textarea
              {...tie}
              value={text}
              spellCheck={false}
              rows={14}
              onChange={({ target }) => setText(target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
              }}
              className="w-full resize-y rounded-md border border-line-strong bg-surface p-3 font-mono text-sm aria-invalid:border-bad"
            />
          )}
        </Field>
        <div className="flex gap-2">
          <Button look="primary" icon={CirclePlay} isBusy={isRunning} onClick={submit}>
            Run tool
          </Button>
          {isRunning && (
            <Button icon={Square} onClick={() => void cancel()}>
              Cancel
            </Button>
          )}
          {typeof written !== "string" && <CopyCallMenu call={{ tool: tool.name, arguments: written }} />}
        </div>
      </div>
      <RunView run={run} />
    </div>
  );
}
