import { Button } from "../../design/button.tsx";
import { TextInput } from "../../design/fields.tsx";
import { Plus, Trash } from "../../design/icons.tsx";
import { Part } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";
import { DecisionSelect } from "./decision-select.tsx";
import type { CommandRule } from "./settings-form.ts";

interface Props {
  commands: readonly CommandRule[];
  faults: Readonly<Record<string, string>>;
  change: (next: readonly CommandRule[]) => void;
  isOwner: boolean;
}

/** Decisions about agents' commands by their first words, and those that a person allowed exactly as they stood. */
export function CommandRules({ commands, faults, change, isOwner }: Props) {
  const put = (at: number, next: Partial<CommandRule>): void =>
    change(commands.map((rule, index) => (index === at ? { ...rule, ...next } : rule)));
  const add = (
    <Button icon={Plus} onClick={() => change([...commands, { pattern: "", approval: "ask" }])}>
      Add a command
    </Button>
  );
  return (
    <Part title="Commands" aside={isOwner && add}>
      <p className="mb-2 text-sm text-ink-2">
        By the first words of each command in a line: git push is every command that begins so. The first rule
        that matches decides, one that refuses does so wherever it stands, and the strictest word holds for
        the line. What was allowed always holds for that very line alone.
      </p>
      <ol className="flex flex-col gap-2">
        {commands.map(({ pattern, approval, exact, cwd }, index) => (
          <li key={index} className="rounded-lg border border-line bg-surface p-3">
            <div className="grid gap-2 sm:grid-cols-[2fr_auto_auto]">
              {exact === true ? (
                <p className="min-w-0 font-mono text-sm break-words">
                  <Words text={cwd === undefined ? pattern : `${pattern} (in ${cwd})`} />
                </p>
              ) : (
                <TextInput
                  aria-label={`Command of rule ${index + 1}`}
                  aria-invalid={faults[`commands.${index}`] !== undefined}
                  placeholder="git push"
                  className="font-mono"
                  value={pattern}
                  onChange={({ target }) => put(index, { pattern: target.value })}
                />
              )}
              <DecisionSelect
                aria-label={`Decision about command ${index + 1}`}
                value={approval}
                onDecide={(next) => put(index, { approval: next })}
              />
              {isOwner && (
                <Button
                  look="quiet"
                  icon={Trash}
                  aria-label={`Remove command ${index + 1}`}
                  onClick={() => change(commands.filter((_rule, other) => other !== index))}
                />
              )}
            </div>
            {faults[`commands.${index}`] !== undefined && (
              <p className="mt-1 text-xs text-bad">{faults[`commands.${index}`]}</p>
            )}
          </li>
        ))}
      </ol>
    </Part>
  );
}
