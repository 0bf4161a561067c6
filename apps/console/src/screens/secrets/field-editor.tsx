import { Button } from "../../design/button.tsx";
import { Select, TextArea, TextInput, Toggle } from "../../design/fields.tsx";
import { Plus, Trash } from "../../design/icons.tsx";
import { FIELD_TYPES, type FieldDraft, newField } from "./service-values.ts";

const FIELDS_MAX = 32;

interface Props {
  fields: readonly FieldDraft[];
  onChange: (fields: FieldDraft[]) => void;
}

/** The fields that each entry of a service fills in. */
export const FieldEditor = ({ fields, onChange }: Props) => (
  <div className="clear-left flex flex-col gap-3">
    {fields.map((field, index) => (
      <FieldRow
        key={field.id}
        field={field}
        number={index + 1}
        onChange={(next) => onChange(fields.map((one) => (one.id === field.id ? { ...one, ...next } : one)))}
        onRemove={fields.length > 1 ? () => onChange(fields.filter(({ id }) => id !== field.id)) : null}
      />
    ))}
    {fields.length < FIELDS_MAX && (
      <Button
        icon={Plus}
        className="self-start"
        onClick={() => onChange([...fields, newField(1 + Math.max(...fields.map(({ id }) => id)))])}
      >
        Add a field
      </Button>
    )}
  </div>
);

interface RowProps {
  field: FieldDraft;
  number: number;
  onChange: (next: Partial<FieldDraft>) => void;
  /** Null: it is the only one. */
  onRemove: (() => void) | null;
}

const FieldRow = ({ field, number, onChange, onRemove }: RowProps) => {
  const labelOf = (what: string): string => `${what} of field ${number}`;
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line p-3">
      <div className="flex gap-2">
        <TextInput
          aria-label={labelOf("Name")}
          placeholder="name_in_code"
          required
          value={field.name}
          maxLength={64}
          className="min-w-0 flex-1 font-mono"
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <Select
          aria-label={labelOf("Kind")}
          value={field.type}
          onChange={({ target }) =>
            onChange({ type: FIELD_TYPES.find((type) => type === target.value) ?? "text" })
          }
        >
          {FIELD_TYPES.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </Select>
        {onRemove !== null && (
          <Button
            look="quiet"
            icon={Trash}
            aria-label={`Remove field ${number}`}
            title="Remove"
            onClick={onRemove}
          />
        )}
      </div>
      <TextInput
        aria-label={labelOf("Help")}
        placeholder="Help for whoever fills it in"
        value={field.description}
        maxLength={2_000}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      {field.type === "select" && (
        <TextArea
          className="font-mono"
          spellCheck={false}
          aria-label={labelOf("Choices")}
          placeholder="One choice a line"
          rows={3}
          required
          value={field.options}
          onChange={({ target }) => onChange({ options: target.value })}
        />
      )}
      <Toggle
        label="Needed: without it the entry counts as not configured"
        isOn={field.isRequired}
        onTurn={(isRequired) => onChange({ isRequired })}
      />
    </div>
  );
};
