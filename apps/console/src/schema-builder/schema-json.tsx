import { useState } from "react";
import { Field, TextArea } from "../design/fields.tsx";
import { readJson } from "../format/read-json.ts";
import { kindOf } from "./field-kinds.ts";
import type { PartProps } from "./builder-parts.ts";

/** One part's schema as JSON; what is none yet changes nothing. */
export function SchemaJson({
  name,
  schema,
  change,
}: Pick<PartProps, "name" | "change"> & { schema: unknown }) {
  const [typed, setTyped] = useState<string | null>(null);
  const read = typed === null ? null : readJson(typed);
  const isValue = read !== null && "value" in read;
  // It was changed elsewhere, as by taking back what was typed.
  if (isValue && JSON.stringify(read.value) !== JSON.stringify(schema)) setTyped(null);
  const found = read === null ? undefined : "fault" in read ? read.fault : read.doubled;
  return (
    <Field
      label={`JSON Schema of ${name}`}
      hint={
        kindOf(schema) === "other"
          ? "No control can show this schema. It stays as it is written."
          : "The schema as it is written."
      }
      fault={found && `Line ${found.line}, column ${found.column}: ${found.message}`}
    >
      {(tie) => (
        <TextArea
          {...tie}
          rows={3}
          spellCheck={false}
          className="field-sizing-content max-h-96 font-mono"
          value={typed ?? JSON.stringify(schema, null, 2)}
          onChange={({ target }) => {
            const next = readJson(target.value);
            setTyped(target.value);
            if ("value" in next) change(next.value, { about: "json" });
          }}
        />
      )}
    </Field>
  );
}
