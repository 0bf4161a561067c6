import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { Button } from "../design/button.tsx";
import { RotateCcw, RotateCw, Sparkles } from "../design/icons.tsx";
import { Segments } from "../design/segments.tsx";
import { Words } from "../design/words.tsx";
import { type JsonFault, readJson } from "../format/read-json.ts";
import { SchemaTree } from "../screens/tool/schema-tree.tsx";
import { isObject } from "../format/json-object.ts";
import { afterEdit, beginHistory, type Edit, type History, redone, undone } from "./edit-history.ts";
import { JsonSide } from "./json-side.tsx";
import { Preview } from "./preview.tsx";
import type { SchemaProblem } from "./problem-places.ts";
import { RootFields } from "./root-fields.tsx";
import { SampleDialog } from "./sample-dialog.tsx";

export interface SchemaBuilderProps {
  /** Any JSON value; a JSON Schema where it can be shown. */
  schema: unknown;
  /** Gets the whole next value; what was not edited is the same as before. */
  onChange: (next: unknown) => void;
  /** What it is, for those who hear the page: "Parameters". */
  label: string;
  kind: "parameters" | "output";
  readOnly?: boolean;
  problems?: readonly SchemaProblem[];
  /** Told when what stands on the JSON side is no JSON (the schema is then the last that was), and with undefined once it is. */
  onFault?: (fault: string | undefined) => void;
}

const SIDES = { fields: "Fields", json: "JSON", preview: "Preview" } as const;
type Side = keyof typeof SIDES;

const NONE: readonly SchemaProblem[] = [];

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** A JSON Schema as a list of fields and as JSON; either shows what the other says, and what no field shows stays as it is. */
export function SchemaBuilder(props: SchemaBuilderProps) {
  const { schema, onChange, label, kind, readOnly = false, problems = NONE, onFault } = props;
  const [side, setSide] = useState<Side>("fields");
  const [isSampling, setSampling] = useState(false);
  const [history, setHistory] = useState<History>(() => beginHistory(schema));
  /** What was typed on the JSON side, as long as it says what the schema is, or is no JSON; null: as the schema is written. */
  const [typed, setTyped] = useState<string | null>(null);
  // It stays while the code beside it is written, which draws all of it anew at each key.
  const read = useMemo(() => (typed === null ? null : readJson(typed)), [typed]);
  const saysElse = useMemo(
    () => read !== null && "value" in read && !isSame(read.value, schema),
    [read, schema],
  );
  const fault = read !== null && "fault" in read ? read.fault : undefined;
  // It came from elsewhere, as from a template.
  if (!isSame(history.now.schema, schema)) {
    setHistory(beginHistory(schema));
    setTyped(null);
  } else if (saysElse) setTyped(null);
  const faultWords = fault === undefined ? undefined : placeWords(fault);
  const tell = useEffectEvent((words: string | undefined) => onFault?.(words));
  useEffect(() => {
    tell(faultWords);
    return () => tell(undefined);
  }, [faultWords]);

  function turnTo(next: History): void {
    setHistory(next);
    if (next.now.schema !== schema) onChange(next.now.schema);
  }
  const change = (next: unknown, edit: Edit): void => turnTo(afterEdit(history, next, edit));
  const step = (next: History): void => {
    setTyped(null);
    turnTo(next);
  };
  function type(text: string): void {
    const next = readJson(text);
    setTyped(text);
    if ("value" in next && !isSame(next.value, schema)) change(next.value, { about: "json" });
  }

  if (readOnly) return <SchemaTree schema={isObject(schema) ? schema : {}} />;
  const { note } = history.now;
  return (
    <section
      aria-label={label}
      className="min-w-0"
      onKeyDown={(event) => {
        const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
        // Who types takes back letters.
        if (!isUndo || (event.target as Element).matches("input:not([type=checkbox]), textarea")) return;
        event.preventDefault();
        step(event.shiftKey ? redone(history) : undone(history));
      }}
    >
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <Segments label={`${label}, shown as`} names={SIDES} current={side} onChoose={setSide} />
        <div className="ml-auto flex items-center gap-1">
          <Button
            look="quiet"
            icon={RotateCcw}
            aria-label="Undo"
            title="Undo the last change of the schema"
            disabled={history.past.length === 0}
            onClick={() => step(undone(history))}
          />
          <Button
            look="quiet"
            icon={RotateCw}
            aria-label="Redo"
            title="Do again what was undone"
            disabled={history.future.length === 0}
            onClick={() => step(redone(history))}
          />
          <Button icon={Sparkles} onClick={() => setSampling(true)}>
            From an example
          </Button>
        </div>
      </div>
      <div role="status">
        {note !== undefined && (
          <p className="mb-2 flex items-center gap-2 rounded-md bg-info-soft py-1 pr-1 pl-3 text-sm">
            <span className="min-w-0 flex-1 break-words">
              <Words text={note} />
            </span>
            <Button look="quiet" isSmall onClick={() => step(undone(history))}>
              Undo it
            </Button>
          </p>
        )}
      </div>
      {side === "json" ? (
        <JsonSide
          label={`${label} as JSON Schema`}
          text={typed ?? JSON.stringify(schema, null, 2)}
          fault={fault}
          doubled={read !== null && "value" in read ? read.doubled : undefined}
          onType={type}
        />
      ) : faultWords !== undefined ? (
        <Broken words={faultWords} onBack={() => setSide("json")} onDrop={() => setTyped(null)} />
      ) : side === "preview" ? (
        <Preview schema={schema} kind={kind} />
      ) : (
        <RootFields schema={schema} kind={kind} label={label} change={change} problems={problems} />
      )}
      {isSampling && (
        <SampleDialog
          current={schema}
          kind={kind}
          onTake={(next) => {
            change(next, { note: "The fields are made from the example." });
            setTyped(null);
            setSide("fields");
          }}
          onClose={() => setSampling(false)}
        />
      )}
    </section>
  );
}

const placeWords = ({ message, line, column }: JsonFault): string =>
  `Line ${line}, column ${column}: ${message}`;

interface BrokenProps {
  words: string;
  onBack: () => void;
  onDrop: () => void;
}

/** In the place of the fields, which would show another schema than the JSON. */
const Broken = ({ words, onBack, onDrop }: BrokenProps) => (
  <div className="rounded-lg border border-line bg-surface px-4 py-6 text-sm">
    <p className="font-medium">What stands on the JSON side can&apos;t be read yet.</p>
    <p className="mt-1 text-bad">
      <Words text={words} />
    </p>
    <div className="mt-3 flex flex-wrap gap-2">
      <Button onClick={onBack}>Mend the JSON</Button>
      <Button look="danger" onClick={onDrop}>
        Drop what was typed
      </Button>
    </div>
  </div>
);
