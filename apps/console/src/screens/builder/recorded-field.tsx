import { Field, JsonArea, Toggle } from "../../design/fields.tsx";

interface Props {
  /** The answers as JSON; null: the run reaches the outside. */
  text: string | null;
  fault: string | undefined;
  change: (text: string | null) => void;
}

const NO_ANSWERS = '{\n  "fetch": [],\n  "calls": [],\n  "commands": []\n}';

/** Whether a run reaches the outside, or gets answers that somebody wrote down. */
export const RecordedField = ({ text, fault, change }: Props) => (
  <div className="flex flex-col gap-2">
    <Toggle
      label={
        <span>
          Reach nothing outside
          <span className="block text-xs text-ink-3">
            {text === null
              ? "Requests, commands and calls of other tools are for real."
              : "Requests, commands and calls get the answers below; one without an answer is refused, by its name."}
          </span>
        </span>
      }
      isOn={text !== null}
      onTurn={(isOn) => change(isOn ? NO_ANSWERS : null)}
    />
    {text !== null && (
      <Field
        label="Recorded answers"
        hint="fetch: url, status, body; calls: name, result; commands: command, stdout, exitCode"
        fault={fault}
      >
        {(tie) => (
          <JsonArea
            {...tie}
            rows={5}
            className="field-sizing-content max-h-72 min-h-24"
            text={text}
            change={change}
          />
        )}
      </Field>
    )}
  </div>
);
