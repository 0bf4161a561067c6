import type { Tool } from "@bulkhead/client";
import { CirclePlay, Square } from "../../design/icons.tsx";
import { useState } from "react";
import { useRun } from "../../data/runs.ts";
import { Button } from "../../design/button.tsx";
import { Field } from "../../design/fields.tsx";
import { exampleOf } from "./example-arguments.ts";
import { RunView } from "./run-view.tsx";

/** Arguments as JSON, and the run beside them, as it happens. */
export function TestPanel({ tool }: { tool: Tool }) {
  const [text, setText] = useState(() => JSON.stringify(exampleOf(tool.parameters), null, 2));
  const [fault, setFault] = useState<string>();
  const { run, start, cancel, isRunning } = useRun(tool.id);

  function submit(): void {
    const args = parseArguments(text);
    setFault(typeof args === "string" ? args : undefined);
    if (typeof args !== "string") void start(args);
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
        </div>
      </div>
      <RunView run={run} />
    </div>
  );
}

/** The object that a text is; else what is wrong with it. */
function parseArguments(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    return "The arguments must be one object, in braces.";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
