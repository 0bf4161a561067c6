import type { ReactNode } from "react";
import { Select, TextArea } from "../../../design/fields.tsx";
import { wordsLine } from "../../../design/words.tsx";
import { emptyValue, type FieldKind } from "./form-fields.ts";
import { JsonField, NumberField } from "./typed-field.tsx";

interface Props {
  id: string;
  kind: FieldKind;
  schema: Readonly<Record<string, unknown>>;
  isRequired: boolean;
  value: unknown;
  /** Undefined: the field is left out. */
  change: (next: unknown) => void;
}

/** What one value that holds no others is written with. */
export function ValueControl({ id, kind, schema, isRequired, value, change }: Props): ReactNode {
  const empty = emptyValue(schema, kind, isRequired);
  switch (kind) {
    case "text":
      return (
        <TextArea
          id={id}
          rows={1}
          spellCheck={false}
          className="field-sizing-content resize-none! max-h-60"
          value={typeof value === "string" ? value : ""}
          onChange={({ target }) => change(target.value === "" ? empty : target.value)}
        />
      );
    case "number":
      return <NumberField id={id} value={value} change={(next) => change(next ?? empty)} />;
    case "boolean":
      return (
        <Choice
          id={id}
          values={[true, false]}
          value={value}
          none={isRequired ? undefined : "left out"}
          change={change}
        />
      );
    case "choice":
      return (
        <Choice
          id={id}
          values={schema["enum"] as unknown[]}
          value={value}
          none={isRequired ? undefined : "left out"}
          change={change}
        />
      );
    default:
      return <JsonField id={id} value={value} change={(next) => change(next)} />;
  }
}

interface ChoiceProps {
  id: string;
  values: readonly unknown[];
  value: unknown;
  /** What no value is called; undefined: there has to be one. */
  none: string | undefined;
  change: (next: unknown) => void;
}

function Choice({ id, values, value, none, change }: ChoiceProps) {
  const at = values.indexOf(value);
  return (
    <Select
      id={id}
      className="self-start max-w-full"
      value={at < 0 ? "" : at}
      onChange={({ target }) => change(target.value === "" ? undefined : values[Number(target.value)])}
    >
      {(none !== undefined || at < 0) && <option value="">{none ?? "choose one"}</option>}
      {values.map((one, index) => (
        // Values of a schema may be alike; their places are not.
        <option key={index} value={index}>
          {wordsLine(typeof one === "string" ? one : JSON.stringify(one))}
        </option>
      ))}
    </Select>
  );
}
