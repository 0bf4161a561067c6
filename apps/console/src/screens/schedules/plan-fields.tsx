import { Field, Options, Select, TextInput } from "../../design/fields.tsx";
import { cronWords } from "./cron-words.ts";
import { type ScheduleDraft, UNIT_NAMES, zonesWith } from "./schedule-draft.ts";

const OFTEN = [
  ["*/15 * * * *", "Every 15 minutes"],
  ["0 * * * *", "Every hour"],
  ["0 9 * * *", "Every day at 09:00"],
  ["0 9 * * 1-5", "Every weekday at 09:00"],
  ["0 9 * * 1", "Every Monday at 09:00"],
  ["0 9 1 * *", "On the 1st of every month at 09:00"],
] as const;

interface Props {
  draft: ScheduleDraft;
  onChange: (next: Partial<ScheduleDraft>) => void;
  faultOf: (field: string) => string | undefined;
}

/** When it runs: by the calendar of a zone, or every so often. */
export const PlanFields = ({ draft, onChange, faultOf }: Props) => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Runs">
        {(tie) => (
          <Select
            {...tie}
            value={draft.kind}
            onChange={({ target }) => {
              const kind = target.value === "every" ? "every" : "cron";
              // As the server has it where nothing is said.
              onChange({ kind, overlap: kind === "every" ? "skip" : "allow" });
            }}
          >
            <option value="cron">by the calendar</option>
            <option value="every">every so often</option>
          </Select>
        )}
      </Field>
      {draft.kind === "cron" ? (
        <Field label="Such as">
          {(tie) => (
            <Select
              {...tie}
              value={OFTEN.some(([cron]) => cron === draft.cron) ? draft.cron : ""}
              onChange={({ target }) => onChange({ cron: target.value || draft.cron })}
            >
              <option value="">Another pattern</option>
              <Options from={OFTEN} />
            </Select>
          )}
        </Field>
      ) : (
        <Every draft={draft} onChange={onChange} faultOf={faultOf} />
      )}
    </div>
    {draft.kind === "cron" && <Cron draft={draft} onChange={onChange} faultOf={faultOf} />}
  </>
);

const Every = ({ draft, onChange, faultOf }: Props) => (
  <Field label="Every" fault={faultOf("every") ?? faultOf("everyMs")}>
    {(tie) => (
      <span className="flex gap-2">
        <TextInput
          {...tie}
          inputMode="decimal"
          className="min-w-0"
          value={draft.every}
          onChange={({ target }) => onChange({ every: target.value })}
        />
        <Select
          aria-label="Unit"
          value={draft.unit}
          onChange={({ target }) =>
            onChange({ unit: UNIT_NAMES.find((unit) => unit === target.value) ?? draft.unit })
          }
        >
          {UNIT_NAMES.map((unit) => (
            <option key={unit}>{unit}</option>
          ))}
        </Select>
      </span>
    )}
  </Field>
);

const Cron = ({ draft, onChange, faultOf }: Props) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Field
      label="Pattern"
      hint={
        cronWords(draft.cron) ??
        "Minute, hour, day of month, month, day of week. Its next times show once it is saved."
      }
      fault={faultOf("cron")}
    >
      {(tie) => (
        <TextInput
          {...tie}
          required
          spellCheck={false}
          maxLength={256}
          className="font-mono"
          value={draft.cron}
          onChange={({ target }) => onChange({ cron: target.value })}
        />
      )}
    </Field>
    <Field label="Time zone" hint="Its clock says when; summer time is kept." fault={faultOf("timeZone")}>
      {(tie) => (
        <Select
          {...tie}
          value={draft.timeZone}
          onChange={({ target }) => onChange({ timeZone: target.value })}
        >
          {zonesWith(Intl.supportedValuesOf("timeZone"), [draft.timeZone]).map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </Select>
      )}
    </Field>
  </div>
);
