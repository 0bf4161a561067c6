import { useMemo } from "react";
import { CodeEditor } from "../../code-editor/code-editor.tsx";
import { Field, Options, Select, Toggle } from "../../design/fields.tsx";
import { Part } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";
import type { Bench } from "./bench.ts";
import type { Draft } from "./draft.ts";
import { faultOf, inEditor, ofField } from "./problems.ts";

type Approval = NonNullable<Draft["approval"]>;

const DECISIONS: readonly (readonly [value: Approval | "", words: string])[] = [
  ["", "As the tenant's settings say"],
  ["ask", "Ask a person first"],
  ["preApproved", "Run without asking"],
  ["blocked", "Refuse"],
];

/** Whether a person is asked before an agent's call runs. */
export function ApprovalFields({ bench: { draft, set, problems } }: { bench: Bench }) {
  const { approval = "", requiresApproval = false, approvalCode = "", createdBy } = draft;
  const isOpen = approval === "";
  const marked = useMemo(() => inEditor(problems, "approvalCode"), [problems]);
  return (
    <Part title="Approval of agents' calls">
      <div className="flex flex-col gap-4">
        {createdBy === "llm" && (
          <p className="rounded-md bg-ai-soft px-3 py-2 text-sm">
            A model wrote this tool: calls of it ask a person, whatever is said here.
          </p>
        )}
        <Field label="An agent's call" fault={faultOf(problems, "approval")}>
          {(tie) => (
            <Select
              {...tie}
              className="self-start"
              value={approval}
              onChange={({ target }) =>
                set({ approval: (target.value || undefined) as Approval | undefined })
              }
            >
              <Options from={DECISIONS} />
            </Select>
          )}
        </Field>
        {isOpen && (
          <Toggle
            label="Ask a person before each agent's call"
            isOn={requiresApproval}
            onTurn={(isOn) => set({ requiresApproval: isOn || undefined })}
          />
        )}
        {isOpen && !requiresApproval && (
          <div>
            <h3 className="mb-1 text-sm font-medium">Code that decides whether a person is asked</h3>
            <p className="mb-2 text-xs text-ink-3">
              The body of an async function with args and context. Only false lets the call run without
              asking: return args.amount &gt; 100;
            </p>
            <CodeEditor
              label="Approval code"
              language="javascript"
              height="8rem"
              value={approvalCode}
              onChange={(next) => set({ approvalCode: next })}
              problems={marked}
            />
            {ofField(problems, "approvalCode").map(({ message, line, column }) => (
              <p key={`${line}:${column} ${message}`} className="mt-1 text-xs text-bad">
                {line !== undefined && `Line ${line}, column ${column}: `}
                <Words text={message} />
              </p>
            ))}
          </div>
        )}
      </div>
    </Part>
  );
}
