import { Field, TextInput, Toggle } from "../../design/fields.tsx";
import { Part } from "../../design/part.tsx";
import { DecisionSelect } from "./decision-select.tsx";
import { CommandRules } from "./command-rules.tsx";
import { RuleList } from "./rule-list.tsx";
import type { SettingsForm } from "./settings-form.ts";
import { ToolDecisions } from "./tool-decisions.tsx";

export interface SettingsProps {
  form: SettingsForm;
  faults: Readonly<Record<string, string>>;
  change: (next: Partial<SettingsForm>) => void;
}

/** Which calls need a person, who that may be, and how long it may take. */
export const ApprovalSettings = ({ form, faults, change, isOwner }: SettingsProps & { isOwner: boolean }) => (
  <>
    <Part title="Calls of agents">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="A call that nothing else decides"
          hint="A tool's own setting, and what stands below, come first."
        >
          {(tie) => (
            <DecisionSelect {...tie} value={form.default} onDecide={(next) => change({ default: next })} />
          )}
        </Field>
        <Field label="An agent changes tools" hint="Asks are about making and deleting tools.">
          {(tie) => (
            <DecisionSelect
              {...tie}
              value={form.metaTools}
              onDecide={(next) => change({ metaTools: next })}
            />
          )}
        </Field>
        <Field
          label="Seconds that a call waits for a person"
          hint="Then it is denied."
          fault={faults["timeoutSeconds"]}
        >
          {(tie) => (
            <TextInput
              {...tie}
              inputMode="numeric"
              value={form.timeoutSeconds}
              onChange={({ target }) => change({ timeoutSeconds: target.value })}
            />
          )}
        </Field>
        <div className="flex flex-col justify-center gap-3">
          <Toggle
            label="Developers answer, too"
            isOn={form.developersMayApprove}
            onTurn={(isOn) => change({ developersMayApprove: isOn })}
          />
          <Toggle
            label="A model's new version that can do no more than the approved one serves at once"
            isOn={form.autoApproveWithoutGrowth}
            onTurn={(isOn) => change({ autoApproveWithoutGrowth: isOn })}
          />
        </div>
      </div>
    </Part>
    <ToolDecisions
      tools={form.tools}
      faults={faults}
      change={(tools) => change({ tools })}
      isOwner={isOwner}
    />
    <RuleList rules={form.rules} faults={faults} change={(rules) => change({ rules })} isOwner={isOwner} />
    <CommandRules
      commands={form.commands}
      faults={faults}
      change={(commands) => change({ commands })}
      isOwner={isOwner}
    />
  </>
);
