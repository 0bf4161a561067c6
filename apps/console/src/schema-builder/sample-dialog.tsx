import { useId, useState } from "react";
import { Badge, type Tone } from "../design/badge.tsx";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field, TextArea, Toggle } from "../design/fields.tsx";
import { Words } from "../design/words.tsx";
import { isObject, ownValue } from "../format/json-object.ts";
import { readJson } from "../format/read-json.ts";
import { typeWords } from "../format/schema-words.ts";
import { lackedBy, type PlannedField, planOf, sampleFault, schemaFrom } from "./sample-plan.ts";

interface Props {
  current: unknown;
  kind: "parameters" | "output";
  onTake: (schema: unknown) => void;
  onClose: () => void;
}

/** More fields than these are told by their number. */
const FIELDS_SHOWN = 60;

/** Makes the fields from a sample of arguments or of a result; what would change shows before it does. */
export function SampleDialog({ current, kind, onTake, onClose }: Props) {
  const [text, setText] = useState("");
  const [keepsOthers, setKeepsOthers] = useState(true);
  const read = text.trim() === "" ? null : readJson(text);
  const sample = read !== null && "value" in read ? { value: read.value } : null;
  const fault =
    read !== null && "fault" in read
      ? `Line ${read.fault.line}, column ${read.fault.column}: ${read.fault.message}`
      : sample === null
        ? undefined
        : sampleFault(sample.value, kind);
  const next =
    sample === null || fault !== undefined
      ? null
      : { schema: schemaFrom(current, sample.value, { kind, keepsOthers }) };
  const lacked = sample === null ? 0 : lackedBy(current, sample.value);
  return (
    <Dialog
      title="Make fields from an example"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            disabled={next === null}
            onClick={() => {
              if (next !== null) onTake(next.schema);
              onClose();
            }}
          >
            Take these fields
          </Button>
        </>
      }
    >
      <Field
        label={kind === "parameters" ? "Arguments of a call, as JSON" : "A result, as JSON"}
        hint={
          kind === "parameters"
            ? "Paste what a caller would send. A list of objects counts as several calls: what is not in all of them is optional."
            : "Paste what the tool returns, or what the service answers that it passes on."
        }
        fault={fault}
      >
        {(tie) => (
          <TextArea
            {...tie}
            data-first
            rows={8}
            spellCheck={false}
            className="max-h-[40vh] font-mono"
            placeholder={
              kind === "parameters" ? '{ "city": "Kiel", "days": 3 }' : '{ "total": 12.5, "items": [] }'
            }
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {next !== null && (
        <div className="mt-4 flex flex-col gap-3">
          {lacked > 0 && (
            <Toggle
              label={
                lacked === 1 ? "Keep the field that it lacks" : `Keep the ${lacked} fields that it lacks`
              }
              isOn={keepsOthers}
              onTurn={setKeepsOthers}
            />
          )}
          <Plan before={current} after={next.schema} />
        </div>
      )}
    </Dialog>
  );
}

const LOOKS: Readonly<Record<PlannedField["becomes"], { tone: Tone; words: string }>> = {
  new: { tone: "good", words: "new" },
  kept: { tone: "calm", words: "stays" },
  changed: { tone: "warn", words: "changes" },
  removed: { tone: "bad", words: "goes" },
};

const fieldOf = (schema: unknown, name: string): unknown =>
  isObject(schema) && isObject(schema["properties"]) ? ownValue(schema["properties"], name) : undefined;

/** What it is; where that changes, what it was, too. */
function typesOf(before: unknown, after: unknown, { name, becomes }: PlannedField): string {
  const [was, is] = [before, after].map((schema) => typeWords(fieldOf(schema, name)));
  if (becomes === "changed" && was !== is) return `${was} → ${is}`;
  return (becomes === "removed" ? was : is) ?? "";
}

function Plan({ before, after }: { before: unknown; after: unknown }) {
  const id = useId();
  const fields = planOf(before, after);
  if (fields.length === 0)
    return (
      <p className="text-sm text-ink-2">
        It becomes: <Words text={typeWords(after)} />.
      </p>
    );
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1.5 text-sm font-medium">
        What becomes of the fields
      </h3>
      <ul className="divide-y divide-line rounded-lg border border-line text-sm">
        {fields.slice(0, FIELDS_SHOWN).map(({ name, becomes }) => (
          <li key={name} className="flex items-center gap-3 px-3 py-1">
            <span className="min-w-0 flex-1 font-mono break-all">
              <Words text={name} />
            </span>
            <span className="text-xs text-ink-2">
              <Words text={typesOf(before, after, { name, becomes })} />
            </span>
            <Badge tone={LOOKS[becomes].tone}>{LOOKS[becomes].words}</Badge>
          </li>
        ))}
        {fields.length > FIELDS_SHOWN && (
          <li className="px-3 py-1.5 text-ink-3">and {fields.length - FIELDS_SHOWN} more</li>
        )}
      </ul>
    </section>
  );
}
