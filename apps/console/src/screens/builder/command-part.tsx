import { TOOL_COMMAND_SECONDS_DEFAULT, TOOL_COMMAND_SECONDS_MAX } from "@bulkhead/core/tool-command";
import { useMemo } from "react";
import { CodeEditor } from "../../code-editor/code-editor.tsx";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/fields.tsx";
import { Words } from "../../design/words.tsx";
import { NumberField } from "../tool/test/typed-field.tsx";
import type { Bench } from "./bench.ts";
import { Fault } from "./fault.tsx";
import { faultOf, inEditor } from "./problems.ts";
import { VariableFields } from "./variable-fields.tsx";

interface Props {
  bench: Bench;
  goTo: { line: number; column: number } | null;
}

/** The line that runs in place of code, where it runs, how long, and with which variables. */
export function CommandPart({ bench, goTo }: Props) {
  const { draft, set, problems } = bench;
  const { command = "" } = draft;
  // The editor reads its problems anew only where they are others.
  const marked = useMemo(() => inEditor(problems, "command"), [problems]);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-6 p-4 lg:overflow-y-auto">
      <div className="flex flex-col gap-2">
        <p className="max-w-prose text-sm text-ink-2">
          A line of bash over the files of whoever calls. <code>{"{{.key}}"}</code> stands for the argument of
          that name: one word, whatever it holds. What the command says is the result.
        </p>
        <Fault words={faultOf(problems, "command")} />
        <CodeEditor
          label="Command"
          language="plaintext"
          height="14rem"
          wrap
          value={command}
          onChange={(text) => set({ command: text })}
          problems={marked}
          goTo={goTo}
        />
        <Placeholders
          parameters={draft.parameters}
          put={(placeholder) => set({ command: `${command.replace(/\s*$/, "")} ${placeholder}`.trimStart() })}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Folder"
          hint="Of the workspace, in which it runs. Left out: its root."
          fault={faultOf(problems, "workingDirectory")}
        >
          {(tie) => (
            <TextInput
              {...tie}
              spellCheck={false}
              className="font-mono"
              placeholder="reports"
              value={draft.workingDirectory ?? ""}
              onChange={({ target }) => set({ workingDirectory: target.value })}
            />
          )}
        </Field>
        <Field
          label="Time-out in seconds"
          hint={`It is ended behind it; ${TOOL_COMMAND_SECONDS_MAX} at most.`}
          fault={faultOf(problems, "timeoutSeconds")}
        >
          {(tie) => (
            <NumberField
              {...tie}
              value={draft.timeoutSeconds}
              placeholder={String(TOOL_COMMAND_SECONDS_DEFAULT)}
              change={(next) => set({ timeoutSeconds: next as number | undefined })}
            />
          )}
        </Field>
      </div>
      <VariableFields bench={bench} />
    </div>
  );
}

/** The arguments that there are; a press writes one behind the command. */
function Placeholders({
  parameters,
  put,
}: {
  parameters: Record<string, unknown>;
  put: (placeholder: string) => void;
}) {
  const { properties } = parameters ?? {};
  const keys = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const writable = keys.filter((key) => /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key));
  if (writable.length === 0)
    return (
      <p className="text-xs text-ink-3">Name the arguments under Parameters: they can be put in here then.</p>
    );
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <span className="text-xs text-ink-3">Put in</span>
      {writable.map((key) => (
        <Button key={key} isSmall className="max-w-full truncate" onClick={() => put(`{{.${key}}}`)}>
          <Words text={key} />
        </Button>
      ))}
    </div>
  );
}
