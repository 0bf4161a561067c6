import { Field, TextInput, Toggle } from "../../design/fields.tsx";
import { Part } from "../../design/part.tsx";
import type { SettingsProps } from "./approval-settings.tsx";
import { PART_NAMES, PARTS } from "./settings-form.ts";

/** How long executions' data are kept, and what is filled into calls. */
export const DataSettings = ({ form, faults, change }: SettingsProps) => (
  <Part title="Data of executions">
    <div className="grid gap-4 sm:grid-cols-3">
      {PART_NAMES.map((part) => (
        <Field
          key={part}
          label={PARTS[part]}
          hint='Days; "none": not kept; empty: as the platform.'
          fault={faults[`retention.${part}`]}
        >
          {(tie) => (
            <TextInput
              {...tie}
              placeholder="As the platform"
              value={form.retention[part]}
              onChange={({ target }) => change({ retention: { ...form.retention, [part]: target.value } })}
            />
          )}
        </Field>
      ))}
    </div>
    <div className="mt-3">
      <Toggle
        label="Fill the defaults of a tool's parameters into calls that leave them out"
        isOn={form.applyDefaults}
        onTurn={(isOn) => change({ applyDefaults: isOn })}
      />
    </div>
  </Part>
);
