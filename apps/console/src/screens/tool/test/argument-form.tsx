import { useId } from "react";
import { Button } from "../../../design/button.tsx";
import { Plus, X } from "../../../design/icons.tsx";
import { Words, wordsLine } from "../../../design/words.tsx";
import { withField } from "../../../format/json-object.ts";
import { exampleOf } from "./example-arguments.ts";
import { fieldsOf, itemsOf, kindOf, othersIn } from "./form-fields.ts";
import { ValueControl } from "./value-control.tsx";

export type Arguments = Record<string, unknown>;
type Schema = Readonly<Record<string, unknown>>;

interface FormProps {
  schema: Readonly<Record<string, unknown>>;
  value: Arguments;
  change: (next: Arguments) => void;
  depth?: number;
}

/** A field for each that the schema names, however deep. */
export function ArgumentForm({ schema, value, change, depth = 0 }: FormProps) {
  const fields = fieldsOf(schema);
  const others = othersIn(schema, value);
  return (
    <div className="flex min-w-0 flex-col gap-3.5">
      {fields.map(({ name, schema: field, isRequired }) => (
        <ValueField
          key={name}
          name={name}
          schema={field}
          isRequired={isRequired}
          value={Object.hasOwn(value, name) ? value[name] : undefined}
          change={(next) => change(withField(value, name, next))}
          depth={depth}
        />
      ))}
      {fields.length === 0 && others === 0 && depth === 0 && (
        <p className="text-sm text-ink-3">The tool takes no arguments by its schema.</p>
      )}
      {others > 0 && (
        <p className="text-xs text-ink-3">
          {others === 1 ? "One more field is" : `${others} more fields are`} in the JSON, which the schema
          doesn&apos;t name.
        </p>
      )}
    </div>
  );
}

interface Props {
  name: string;
  schema: Schema;
  isRequired: boolean;
  /** Of a list: its name is its place. */
  isItem?: boolean;
  value: unknown;
  /** Undefined: the field is left out. */
  change: (next: unknown) => void;
  depth: number;
}

/** One value, written as its schema says. */
function ValueField(props: Props) {
  const { name, schema, isRequired, isItem = false, value, depth } = props;
  const id = useId();
  const kind = kindOf(schema, value, depth);
  const { description } = schema;
  const isGroup = kind === "object" || kind === "list";
  const label = (
    <>
      <span className="font-mono break-all">
        <Words text={name} />
      </span>
      {isRequired && !isItem && <span className="ml-1.5 text-xs font-normal text-bad">required</span>}
    </>
  );
  const words = typeof description === "string" && (
    <p className="text-xs text-ink-2">
      <Words text={description} />
    </p>
  );
  if (isGroup)
    return (
      <fieldset className="min-w-0">
        <legend className="text-sm font-medium">{label}</legend>
        {words}
        <div className="mt-2 ml-1 border-l border-line pl-4">
          {kind === "object" ? <Nested {...props} /> : <Items {...props} />}
        </div>
      </fieldset>
    );
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {words}
      <ValueControl
        id={id}
        kind={kind}
        schema={schema}
        isRequired={isRequired}
        value={value}
        change={props.change}
      />
    </div>
  );
}

function Nested({ schema, isRequired, value, change, depth }: Props) {
  if (value === undefined || value === null)
    return (
      <Button icon={Plus} onClick={() => change(exampleOf(schema))}>
        Fill in
      </Button>
    );
  return (
    <>
      <ArgumentForm schema={schema} value={value as Arguments} change={change} depth={depth + 1} />
      {!isRequired && (
        <Button look="quiet" icon={X} className="mt-2 -ml-2" onClick={() => change(undefined)}>
          Leave out
        </Button>
      )}
    </>
  );
}

function Items({ name, schema, isRequired, value, change, depth }: Props) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const item = itemsOf(schema);
  const put = (next: unknown[]): void => change(next.length === 0 && !isRequired ? undefined : next);
  return (
    <div className="flex flex-col gap-2">
      {items.map((one, index) => (
        // An item has no name but its place.
        <div key={index} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <ValueField
              name={String(index + 1)}
              schema={item}
              isRequired
              isItem
              value={one}
              change={(next) => put(items.with(index, next ?? null))}
              depth={depth + 1}
            />
          </div>
          <Button
            look="quiet"
            icon={X}
            className="mt-6"
            aria-label={`Remove ${wordsLine(name)} ${index + 1}`}
            onClick={() => put(items.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button icon={Plus} className="self-start" onClick={() => put([...items, exampleOf(item)])}>
        Add
      </Button>
    </div>
  );
}
