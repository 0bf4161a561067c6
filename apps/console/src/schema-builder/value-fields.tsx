import { useId, useLayoutEffect, useRef } from "react";
import { Button } from "../design/button.tsx";
import { Field } from "../design/fields.tsx";
import { Plus, X } from "../design/icons.tsx";
import { withField } from "../format/json-object.ts";
import { exampleOf } from "../screens/tool/test/example-arguments.ts";
import { kindOf as controlOf } from "../screens/tool/test/form-fields.ts";
import { ValueControl } from "../screens/tool/test/value-control.tsx";
import type { BoundsProps } from "./bound-fields.tsx";
import { putKeyword } from "./keyword-edits.ts";

/** Deeper than any form goes: objects and lists are written as JSON. */
const AS_JSON = 99;

/** What holds where a caller leaves the field out. */
export function DefaultField(part: BoundsProps) {
  const { schema, faults } = part;
  const value = schema["default"];
  return (
    <Field label="Default" fault={faults["default"]}>
      {({ id }) => (
        <ValueControl
          id={id}
          kind={controlOf(schema, value, AS_JSON)}
          schema={schema}
          isRequired={false}
          value={value}
          change={(next) => putKeyword(part, "default", next)}
        />
      )}
    </Field>
  );
}

/** Values that show what is meant. */
export function ExamplesField(part: BoundsProps) {
  const { schema } = part;
  const { examples } = schema;
  return (
    <Values
      {...part}
      title="Examples"
      one="example"
      valueSchema={withField(withField(schema, "examples", undefined), "default", undefined)}
      values={Array.isArray(examples) ? examples : []}
      put={(next) => putKeyword(part, "examples", next.length === 0 ? undefined : next)}
    />
  );
}

/** The values of which one is to be taken. */
export function ChoiceValues(part: BoundsProps) {
  const { enum: values, type } = part.schema;
  const known: unknown[] = Array.isArray(values) ? values : [];
  const isNumber = type === "number" || type === "integer" || typeof known[0] === "number";
  return (
    <Values
      {...part}
      title="Values"
      one="value"
      valueSchema={{ type: isNumber ? "number" : "string" }}
      values={known}
      fault={part.faults["enum"]}
      next={isNumber ? known.length + 1 : `option_${known.length + 1}`}
      put={(next) => putKeyword(part, "enum", next)}
    />
  );
}

interface ValuesProps extends BoundsProps {
  title: string;
  /** What one of them is called. */
  one: string;
  valueSchema: Readonly<Record<string, unknown>>;
  values: readonly unknown[];
  fault?: string | undefined;
  /** What a new one is at first. */
  next?: unknown;
  put: (values: unknown[]) => void;
}

function Values({ name, title, one, valueSchema, values, fault, next, put }: ValuesProps) {
  const id = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  const isAdded = useRef(false);
  // Whoever adds one writes it next.
  useLayoutEffect(() => {
    if (isAdded.current)
      list.current?.querySelector<HTMLElement>(`[id="${id}-${values.length - 1}"]`)?.focus();
    isAdded.current = false;
  }, [id, values.length]);
  return (
    <fieldset ref={list} className="min-w-0">
      <legend className="mb-1 text-sm font-medium">{title}</legend>
      <div className="flex flex-col gap-1.5">
        {values.map((value, index) => (
          // A value has no name but its place.
          <div key={index} className="flex items-start gap-1.5">
            <label htmlFor={`${id}-${index}`} className="sr-only">
              {one} {index + 1} of {name}
            </label>
            <div className="flex min-w-0 flex-1 flex-col">
              <ValueControl
                id={`${id}-${index}`}
                kind={controlOf(valueSchema, value, AS_JSON)}
                schema={valueSchema}
                isRequired
                value={value}
                change={(written) => written !== undefined && put(values.with(index, written))}
              />
            </div>
            <Button
              look="quiet"
              icon={X}
              aria-label={`Remove ${one} ${index + 1} of ${name}`}
              onClick={() => put(values.toSpliced(index, 1))}
            />
          </div>
        ))}
        {fault !== undefined && <p className="text-xs text-bad">{fault}</p>}
        <Button
          look="quiet"
          icon={Plus}
          className="self-start"
          onClick={() => {
            isAdded.current = true;
            put([...values, next ?? exampleOf(valueSchema)]);
          }}
        >
          Add {one === "example" ? "an example" : "a value"}
        </Button>
      </div>
    </fieldset>
  );
}
