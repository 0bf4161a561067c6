import { Field, Select } from "../../design/fields.tsx";
import { Part } from "../../design/part.tsx";
import type { SettingsProps } from "./approval-settings.tsx";
import type { ShellEngine } from "./settings-form.ts";

const ENGINES: Readonly<Record<ShellEngine, string>> = {
  virtual: "A shell in JavaScript over the workspace",
  namespaces: "Programs of the machine, without a network",
  off: "Nothing: every command is refused",
};

/** What runs the commands of tools and agents. */
export const ShellSettings = ({ form: { engine }, change }: SettingsProps) => (
  <Part title="Shell">
    <Field
      label="What runs a command"
      hint="Of exec, process, utils.exec and tools that are a command. Programs of the machine are turned on by the platform's administrator alone."
    >
      {(tie) => (
        <Select
          {...tie}
          value={engine}
          onChange={({ target }) => change({ engine: target.value as ShellEngine })}
        >
          {Object.entries(ENGINES).map(([name, words]) => (
            <option key={name} value={name} disabled={name === "namespaces" && engine !== name}>
              {words}
            </option>
          ))}
        </Select>
      )}
    </Field>
  </Part>
);
