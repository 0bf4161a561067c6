import type { Schedule } from "@bulkhead/client";
import { useState } from "react";
import { useSaveSchedule } from "../../data/schedules.ts";
import { Field, JsonArea, Options, Refusal, Select, TextInput } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { notify } from "../../design/notices.tsx";
import { wordsLine } from "../../design/words.tsx";
import { PlanFields } from "./plan-fields.tsx";
import { MISSED, OVERLAPS } from "./plan-words.ts";
import { bodyOf, type DraftFaults, draftOf, newDraft, type ScheduleDraft } from "./schedule-draft.ts";
import { ToolField } from "./tool-field.tsx";

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface Props {
  /** Absent: a new one. */
  schedule: Schedule | undefined;
  onClose: () => void;
  onSaved: (schedule: Schedule) => void;
}

/** Makes a schedule or changes one; when it runs, the server tells once it is saved. */
export function ScheduleForm({ schedule, onClose, onSaved }: Props) {
  const [draft, setDraft] = useState(() =>
    schedule === undefined ? newDraft(OWN_ZONE) : draftOf(schedule, OWN_ZONE),
  );
  const [faults, setFaults] = useState<DraftFaults>({});
  const save = useSaveSchedule(schedule?.id);
  const told: Readonly<Record<string, string>> = Object.fromEntries(
    (save.error?.errors ?? []).map(({ path, message }) => [path.split(".")[0] ?? path, `It ${message}.`]),
  );
  const faultOf = (field: string): string | undefined => {
    const fault = (faults as Record<string, string | undefined>)[field] ?? told[field];
    return fault === undefined ? undefined : wordsLine(fault);
  };
  const change = (next: Partial<ScheduleDraft>): void => setDraft((before) => ({ ...before, ...next }));

  function submit(): void {
    const read = bodyOf(draft, schedule);
    setFaults("faults" in read ? read.faults : {});
    if ("faults" in read) return;
    save.mutate(read.body, {
      onSuccess: (saved) => {
        notify("good", schedule === undefined ? "The schedule is created." : "The schedule is changed.");
        onSaved(saved);
      },
    });
  }

  return (
    <FormDialog
      title={schedule === undefined ? "New schedule" : "Edit schedule"}
      place="side"
      onClose={onClose}
      does={schedule === undefined ? "Create schedule" : "Save"}
      isBusy={save.isPending}
      onSubmit={submit}
    >
      <ToolField
        chosen={draft.toolName}
        fault={faultOf("tool")}
        onChoose={({ id, name }) => change({ tool: id, toolName: name })}
      />
      <Field label="Name (optional)" hint="For people; else the tool's name stands for it.">
        {(tie) => (
          <TextInput
            {...tie}
            value={draft.name}
            maxLength={200}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <PlanFields draft={draft} onChange={change} faultOf={faultOf} />
      <Field label="Arguments" hint="JSON, the same for each run." fault={faultOf("arguments")}>
        {(tie) => <JsonArea {...tie} rows={6} text={draft.args} change={(args) => change({ args })} />}
      </Field>
      <Rules draft={draft} onChange={change} />
      {Object.keys(told).length === 0 && <Refusal error={save.error} />}
    </FormDialog>
  );
}

interface RuleProps {
  draft: ScheduleDraft;
  onChange: (next: Partial<ScheduleDraft>) => void;
}

const Rules = ({ draft, onChange }: RuleProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Field label="While one runs, another">
      {(tie) => (
        <Select
          {...tie}
          value={draft.overlap}
          onChange={({ target }) => onChange({ overlap: target.value as Schedule["overlap"] })}
        >
          <Options from={Object.entries(OVERLAPS)} />
        </Select>
      )}
    </Field>
    <Field label="Missed times" hint="Missed by more than a minute.">
      {(tie) => (
        <Select
          {...tie}
          value={draft.missedRuns}
          onChange={({ target }) => onChange({ missedRuns: target.value as Schedule["missedRuns"] })}
        >
          <Options from={Object.entries(MISSED)} />
        </Select>
      )}
    </Field>
  </div>
);
