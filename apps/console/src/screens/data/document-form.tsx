import { CodeEditor } from "../../code-editor/code-editor.tsx";
import { Field, TextInput } from "../../design/fields.tsx";
import { readJson } from "../../format/read-json.ts";
import { secondsOf } from "./data-search.ts";

/** A document as a person writes it: its value as JSON, and after how many seconds it is gone. */
export interface DocumentDraft {
  text: string;
  ttl: string;
}

export const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What of the draft can't be sent; null: all can. */
export function faultOf({ text, ttl }: DocumentDraft): { text?: string; ttl?: string } | null {
  const read = readJson(text);
  const isTime = secondsOf(ttl) !== null;
  if (!("fault" in read) && isTime) return null;
  return {
    ...("fault" in read && { text: `Line ${read.fault.line}: ${read.fault.message}` }),
    ...(!isTime && { ttl: "A whole number of seconds, or nothing." }),
  };
}

interface Props {
  draft: DocumentDraft;
  change: (draft: DocumentDraft) => void;
  onSave: () => void;
}

/** Fields for both. */
export function DocumentFields({ draft, change, onSave }: Props) {
  const fault = faultOf(draft);
  return (
    <div className="flex flex-col gap-3">
      <CodeEditor
        label="The document as JSON"
        language="json"
        height="min(50vh, 28rem)"
        value={draft.text}
        onChange={(text) => change({ ...draft, text })}
        onSave={onSave}
      />
      {fault?.text !== undefined && <p className="text-xs text-bad">{fault.text}</p>}
      <Field label="Gone after" hint="Seconds from the save on; empty: it stays." fault={fault?.ttl}>
        {(tie) => (
          <TextInput
            {...tie}
            inputMode="numeric"
            className="max-w-40"
            value={draft.ttl}
            onChange={({ target }) => change({ ...draft, ttl: target.value })}
          />
        )}
      </Field>
    </div>
  );
}
