import { Button } from "../../design/button.tsx";
import { Field, Options, Select, TextInput } from "../../design/fields.tsx";
import { Plus, X } from "../../design/icons.tsx";
import { Part } from "../../design/part.tsx";
import type { SettingsProps } from "./approval-settings.tsx";
import type { SharedForm, SharedWith } from "./settings-form.ts";

const SHARED_WITH: Readonly<Record<SharedWith, string>> = {
  agent: "All users of an agent",
  tenant: "All agents and users",
};

/** Which collections of custom data are not their caller's own. */
export function SharedData({ form: { shared }, faults, change }: SettingsProps) {
  const set = (index: number, next: Partial<SharedForm>): void =>
    change({ shared: shared.map((one, at) => (at === index ? { ...one, ...next } : one)) });
  return (
    <Part
      title="Shared data"
      aside={
        <Button
          icon={Plus}
          onClick={() => change({ shared: [...shared, { collection: "", sharedWith: "agent" }] })}
        >
          Share a collection
        </Button>
      }
    >
      <p className="text-sm text-ink-2">
        A collection that does not stand here is its own for each agent and user. Documents that were written
        before stay where they are.
      </p>
      <ul className="mt-3 flex flex-col gap-3">
        {shared.map(({ collection, sharedWith }, index) => (
          // A collection that is being named has no name but its place.
          <li
            key={index}
            className="grid items-start gap-3 rounded-lg border border-line bg-surface p-3 sm:grid-cols-[1fr_1fr_auto]"
          >
            <Field label={`Collection ${index + 1}`} fault={faults[`shared.${index}`]}>
              {(tie) => (
                <TextInput
                  {...tie}
                  className="font-mono"
                  value={collection}
                  onChange={({ target }) => set(index, { collection: target.value })}
                />
              )}
            </Field>
            <Field label={`Who shares collection ${index + 1}`}>
              {(tie) => (
                <Select
                  {...tie}
                  className="w-full"
                  value={sharedWith}
                  onChange={({ target }) => set(index, { sharedWith: target.value as SharedWith })}
                >
                  <Options from={Object.entries(SHARED_WITH)} />
                </Select>
              )}
            </Field>
            <span className="flex justify-end sm:pt-6">
              <Button
                look="quiet"
                isSmall
                icon={X}
                onClick={() => change({ shared: shared.filter((_one, at) => at !== index) })}
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
