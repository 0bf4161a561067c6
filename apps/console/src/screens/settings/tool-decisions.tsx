import { Button } from "../../design/button.tsx";
import { TextInput } from "../../design/fields.tsx";
import { Plus, Trash } from "../../design/icons.tsx";
import { Part } from "../../design/part.tsx";
import { DecisionSelect } from "./decision-select.tsx";
import type { SettingsForm } from "./settings-form.ts";

interface Props {
  tools: SettingsForm["tools"];
  faults: Readonly<Record<string, string>>;
  change: (next: SettingsForm["tools"]) => void;
  isOwner: boolean;
}

/** Decisions for single tools, by their names or ids. */
export function ToolDecisions({ tools, faults, change, isOwner }: Props) {
  const put = (at: number, next: Partial<Props["tools"][number]>): void =>
    change(tools.map((row, index) => (index === at ? { ...row, ...next } : row)));
  const add = (
    <Button icon={Plus} onClick={() => change([...tools, { tool: "", decision: "ask" }])}>
      Add a tool
    </Button>
  );
  return (
    <Part title="Single tools" aside={isOwner && add}>
      {tools.length === 0 && <p className="text-sm text-ink-3">No tool has a decision of its own here.</p>}
      <ul className="flex flex-col gap-2">
        {tools.map(({ tool, decision }, index) => (
          <li key={index}>
            <div className="flex flex-wrap items-center gap-2">
              <TextInput
                aria-label="Tool"
                aria-invalid={faults[`tools.${index}`] !== undefined}
                placeholder="Name of a tool"
                className="max-w-72 font-mono"
                value={tool}
                onChange={({ target }) => put(index, { tool: target.value })}
              />
              <DecisionSelect
                aria-label={`Decision for ${tool}`}
                value={decision}
                onDecide={(next) => put(index, { decision: next })}
              />
              {isOwner && (
                <Button
                  look="quiet"
                  icon={Trash}
                  aria-label={`Remove the decision for ${tool}`}
                  onClick={() => change(tools.filter((_row, other) => other !== index))}
                />
              )}
            </div>
            {faults[`tools.${index}`] !== undefined && (
              <p className="text-xs text-bad">{faults[`tools.${index}`]}</p>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}
