import { Button } from "../../design/button.tsx";
import { TextInput } from "../../design/fields.tsx";
import { ArrowUp, Plus, Trash } from "../../design/icons.tsx";
import { Part } from "../../design/part.tsx";
import { DecisionSelect } from "./decision-select.tsx";
import type { RuleForm } from "./settings-form.ts";

interface Props {
  rules: readonly RuleForm[];
  faults: Readonly<Record<string, string>>;
  change: (next: readonly RuleForm[]) => void;
  isOwner: boolean;
}

/** Decisions by arguments: the first rule that matches decides, and one that refuses does so wherever it stands. */
export function RuleList({ rules, faults, change, isOwner }: Props) {
  const put = (at: number, next: Partial<RuleForm>): void =>
    change(rules.map((rule, index) => (index === at ? { ...rule, ...next } : rule)));
  const raise = (at: number): void =>
    change(
      rules.map((rule, index) =>
        index === at ? (rules[at - 1] ?? rule) : index === at - 1 ? (rules[at] ?? rule) : rule,
      ),
    );
  const add = (
    <Button
      icon={Plus}
      onClick={() => change([...rules, { tool: "", argument: "", pattern: "", decision: "ask" }])}
    >
      Add a rule
    </Button>
  );
  return (
    <Part title="Rules by arguments" aside={isOwner && add}>
      <p className="mb-2 text-sm text-ink-2">
        The first rule that matches decides; one that refuses does so wherever it stands. An argument is named
        by a JSON pointer; without one, the pattern is held against all arguments.
      </p>
      <ol className="flex flex-col gap-2">
        {rules.map(({ tool, argument, pattern, decision }, index) => (
          <li key={index} className="rounded-lg border border-line bg-surface p-3">
            <div className="grid gap-2 sm:grid-cols-[1fr_1fr_1.5fr_auto_auto]">
              <TextInput
                aria-label={`Tool of rule ${index + 1}`}
                aria-invalid={faults[`rules.${index}`] !== undefined}
                placeholder="Tool"
                className="font-mono"
                value={tool}
                onChange={({ target }) => put(index, { tool: target.value })}
              />
              <TextInput
                aria-label={`Argument of rule ${index + 1}`}
                placeholder="/argument"
                className="font-mono"
                value={argument}
                onChange={({ target }) => put(index, { argument: target.value })}
              />
              <TextInput
                aria-label={`Pattern of rule ${index + 1}`}
                placeholder="git *"
                className="font-mono"
                value={pattern}
                onChange={({ target }) => put(index, { pattern: target.value })}
              />
              <DecisionSelect
                aria-label={`Decision of rule ${index + 1}`}
                value={decision}
                onDecide={(next) => put(index, { decision: next })}
              />
              {isOwner && (
                <div className="flex justify-end gap-1">
                  {index > 0 && (
                    <Button
                      look="quiet"
                      icon={ArrowUp}
                      aria-label={`Move rule ${index + 1} up`}
                      onClick={() => raise(index)}
                    />
                  )}
                  <Button
                    look="quiet"
                    icon={Trash}
                    aria-label={`Remove rule ${index + 1}`}
                    onClick={() => change(rules.filter((_rule, other) => other !== index))}
                  />
                </div>
              )}
            </div>
            {faults[`rules.${index}`] !== undefined && (
              <p className="mt-1 text-xs text-bad">{faults[`rules.${index}`]}</p>
            )}
          </li>
        ))}
      </ol>
    </Part>
  );
}
