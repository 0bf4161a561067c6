import { Button } from "../../design/button.tsx";
import { Field, Options, Select, TextArea, TextInput } from "../../design/fields.tsx";
import { Plus, X } from "../../design/icons.tsx";
import { Part } from "../../design/part.tsx";
import type { SettingsProps } from "./approval-settings.tsx";
import type { AgentFilesForm, AgentKind } from "./settings-form.ts";

const KINDS: Readonly<Record<AgentKind, string>> = {
  open: "Open: each user's own",
  predefined: "Predefined: everybody has the agent's",
};

/** Which files agents see, and which files of an agent are each user's own. */
export function FileSettings({ form, faults, change }: SettingsProps) {
  const { agentFiles } = form;
  const set = (index: number, next: Partial<AgentFilesForm>): void =>
    change({ agentFiles: agentFiles.map((one, at) => (at === index ? { ...one, ...next } : one)) });
  return (
    <Part
      title="Files"
      aside={
        <Button
          icon={Plus}
          onClick={() => change({ agentFiles: [...agentFiles, { agent: "", kind: "open", deny: "" }] })}
        >
          Add an agent
        </Button>
      }
    >
      <Field
        label="Not there for agents and for what runs"
        hint="A file or a folder a line, such as private/keys: in no list, no search and no count. People see them."
      >
        {(tie) => (
          <TextArea
            {...tie}
            rows={3}
            className="font-mono"
            spellCheck={false}
            value={form.deniedFiles}
            onChange={({ target }) => change({ deniedFiles: target.value })}
          />
        )}
      </Field>
      <ul className="mt-4 flex flex-col gap-3">
        {agentFiles.map(({ agent, kind, deny }, index) => (
          // An agent that is being named has no name but its place.
          <li key={index} className="grid gap-3 rounded-lg border border-line bg-surface p-3 sm:grid-cols-2">
            <Field label={`Agent ${index + 1}`} fault={faults[`agentFiles.${index}`]}>
              {(tie) => (
                <TextInput
                  {...tie}
                  value={agent}
                  onChange={({ target }) => set(index, { agent: target.value })}
                />
              )}
            </Field>
            <Field label={`Context files of agent ${index + 1}`}>
              {(tie) => (
                <Select
                  {...tie}
                  className="w-full"
                  value={kind}
                  onChange={({ target }) => set(index, { kind: target.value as AgentKind })}
                >
                  <Options from={Object.entries(KINDS)} />
                </Select>
              )}
            </Field>
            <div className="sm:col-span-2">
              <Field label={`Not there for agent ${index + 1}, beside those above`}>
                {(tie) => (
                  <TextArea
                    {...tie}
                    rows={2}
                    className="font-mono"
                    spellCheck={false}
                    value={deny}
                    onChange={({ target }) => set(index, { deny: target.value })}
                  />
                )}
              </Field>
            </div>
            <span className="flex justify-end sm:col-span-2">
              <Button
                look="quiet"
                isSmall
                icon={X}
                onClick={() => change({ agentFiles: agentFiles.filter((_one, at) => at !== index) })}
              >
                Take away
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}
