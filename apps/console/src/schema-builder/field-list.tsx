import { useLayoutEffect, useRef, useState } from "react";
import { Button } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { Plus } from "../design/icons.tsx";
import { wordsLine } from "../design/words.tsx";
import type { FieldsProps } from "./builder-parts.ts";
import { changeKind } from "./change-kind.ts";
import { FieldDetails } from "./field-details.tsx";
import { FieldRow, type RowEdits } from "./field-row.tsx";
import {
  addField,
  duplicateField,
  type Field,
  fieldsIn,
  freeName,
  hasOwnPlace,
  moveField,
  nameFault,
  removeField,
  renameField,
  setField,
  setRequired,
} from "./fields.ts";
import { within } from "./keyword-edits.ts";
import { kindWords } from "./kind-select.tsx";
import { problemsOf } from "./problem-places.ts";
import { rowKeys } from "./row-keys.ts";
import { useDragRows } from "./use-drag-rows.ts";

/** More fields than these are shown when somebody asks. */
const ROWS_FIRST = 100;

/** The fields of an object's schema, one line each. */
export function FieldList({ label, node, change, problems }: FieldsProps) {
  const fields = fieldsIn(node);
  const names = fields.map(({ name }) => name);
  const [keys, setKeys] = useState(() => rowKeys([], names));
  const now = rowKeys(keys, names);
  if (now !== keys) setKeys(now);
  const [shownMax, setShownMax] = useState(ROWS_FIRST);
  const [added, setAdded] = useState<string | null>(null);
  const [moved, setMoved] = useState("");
  const shown = fields.slice(0, shownMax);
  const free = fields.findIndex(({ name }) => hasOwnPlace(name));
  const drag = useDragRows(move);
  const root = useRef<HTMLDivElement>(null);
  const emptied = useRef<number | null>(null);
  // Who removes a field goes on with the one that stands in its place.
  useLayoutEffect(() => {
    if (emptied.current === null) return;
    const rows = root.current?.querySelectorAll(":scope > ul > li");
    const row = rows?.[Math.min(emptied.current, rows.length - 1)] ?? root.current;
    row?.querySelector<HTMLElement>("input, button")?.focus();
    emptied.current = null;
  });

  function move(from: number, to: number): void {
    const name = names[from];
    if (name === undefined || !hasOwnPlace(name) || from === to || to < free) return;
    change(moveField(node, from, to), {});
    setMoved(`${wordsLine(name)} is number ${to + 1} of ${names.length} now.`);
  }
  function add(): void {
    const name = freeName(node, "field");
    change(addField(node, name, { type: "string" }), {});
    setAdded(name);
    setShownMax(Math.max(shownMax, fields.length + 1));
  }
  return (
    <div ref={root} className="@container min-w-0">
      {fields.length > 0 && (
        <ul aria-label={label} className="rounded-lg border border-line bg-surface">
          {shown.map((field, index) => (
            <li
              key={now[index]?.key}
              className={classes(
                "relative border-b border-line last:border-b-0",
                drag.before === index &&
                  "before:absolute before:inset-x-0 before:-top-px before:h-0.5 before:bg-accent",
                drag.before === index + 1 &&
                  index + 1 === shown.length &&
                  "after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 after:bg-accent",
              )}
              {...drag.rowOf(index)}
            >
              <FieldRow
                field={field}
                isNew={field.name === added}
                problems={problemsOf(problems, "properties", field.name)}
                handle={drag.handleOf(index)}
                {...editsOf(field, index)}
                details={(kind) => (
                  <FieldDetails
                    kind={kind}
                    name={wordsLine(field.name)}
                    schema={field.schema}
                    change={(next, edit) =>
                      change(setField(node, field.name, next), within(field.name, edit))
                    }
                    problems={problemsOf(problems, "properties", field.name)}
                    Fields={FieldList}
                  />
                )}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-1.5 flex flex-wrap gap-2">
        <Button look="quiet" icon={Plus} onClick={add}>
          Add a field
        </Button>
        {shown.length < fields.length && (
          <Button look="quiet" onClick={() => setShownMax(shownMax + ROWS_FIRST)}>
            {(fields.length - shown.length).toLocaleString()} more fields
          </Button>
        )}
      </div>
      <span role="status" className="sr-only">
        {moved}
      </span>
    </div>
  );

  function editsOf({ name, schema }: Field, index: number): RowEdits {
    const said = `“${wordsLine(name)}”`;
    return {
      faultOf: (next) => nameFault(node, name, next),
      onRename: (next) => change(renameField(node, name, next), {}),
      onRequire: (next) => change(setRequired(node, name, next), {}),
      onKind: (kind) => {
        const { schema: next, dropped } = changeKind(schema, kind);
        const gone =
          dropped.length === 0 ? "" : ` Removed with the old type: ${wordsLine(dropped.join(", "))}.`;
        change(setField(node, name, next), { note: `${said} is ${kindWords(kind)} now.${gone}` });
      },
      onDuplicate: () => {
        const { node: next, name: copy } = duplicateField(node, name);
        change(next, {});
        setAdded(copy);
        setShownMax(Math.max(shownMax, index + 2));
      },
      onRemove: () => {
        emptied.current = index;
        change(removeField(node, name), { note: `${said} is removed.` });
      },
      onMove: {
        up: hasOwnPlace(name) && index > free ? () => move(index, index - 1) : null,
        down: hasOwnPlace(name) && index < fields.length - 1 ? () => move(index, index + 1) : null,
      },
    };
  }
}
