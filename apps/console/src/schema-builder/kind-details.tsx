import type { ReactNode } from "react";
import { Toggle } from "../design/fields.tsx";
import { Words } from "../design/words.tsx";
import { isObject, withField } from "../format/json-object.ts";
import { boundWords } from "../format/schema-words.ts";
import { NumberBounds, type BoundsProps, CountBounds, TextBounds } from "./bound-fields.tsx";
import { boundFaults } from "./bound-faults.ts";
import { changeKind } from "./change-kind.ts";
import { type Kind, kindOf } from "./field-kinds.ts";
import { isShown, putKeyword, within } from "./keyword-edits.ts";
import { KindSelect, kindWords } from "./kind-select.tsx";
import { OtherFields } from "./other-fields.tsx";
import { ProblemList } from "./problem-list.tsx";
import { problemsBeside, problemsOf } from "./problem-places.ts";
import { SchemaJson } from "./schema-json.tsx";
import { ChoiceValues } from "./value-fields.tsx";

interface Props extends BoundsProps {
  kind: Kind;
}

/** What holds for values of one kind alone. */
export function KindDetails({ kind, ...part }: Props): ReactNode {
  switch (kind) {
    case "text":
      return <TextBounds {...part} />;
    case "number":
    case "integer":
      return <NumberBounds {...part} />;
    case "choice":
      return <ChoiceValues {...part} />;
    case "list":
      return <ListDetails {...part} />;
    case "object":
      return (
        <div>
          <p className="mb-1 text-sm font-medium">Its fields</p>
          <part.Fields
            label={`Fields of ${part.name}`}
            node={part.schema}
            change={part.change}
            problems={part.problems}
          />
          <OtherFields {...part} />
        </div>
      );
    default:
      return null;
  }
}

function ListDetails(part: BoundsProps) {
  const { schema, change, problems, name } = part;
  const items = schema["items"] ?? {};
  const kind = kindOf(items);
  const item = `an item of ${name}`;
  return (
    <>
      <div className="rounded-lg border border-line bg-surface">
        <div className="flex flex-wrap items-center gap-x-2 px-3 py-1 text-sm">
          <span className="font-medium">Each item</span>
          <KindSelect
            label={`Type of ${item}`}
            kind={kind}
            className="h-7! w-36 max-w-full border-transparent! bg-transparent! px-1.5! text-ink-2! hover:border-line-strong!"
            onChoose={(next) =>
              change(withField(schema, "items", changeKind(items, next).schema), {
                note: `Each item of “${name}” is ${kindWords(next)} now.`,
              })
            }
          />
          <span className="min-w-0 truncate text-xs text-ink-3">
            <Words text={isObject(items) ? boundWords(items).join(" · ") : ""} />
          </span>
        </div>
        {kind !== "boolean" && kind !== "any" && (
          <div className="flex flex-col gap-3 border-t border-line px-1.5 py-3 @md:px-3">
            <Items
              {...part}
              name={item}
              items={items}
              kind={kind}
              problems={problemsOf(problems, "items")}
              change={(next, edit) => change(withField(schema, "items", next), within("items", edit))}
            />
          </div>
        )}
      </div>
      <CountBounds {...part} />
      {isShown(schema, "list", "uniqueItems") && (
        <Toggle
          label="No two items are alike"
          isOn={schema["uniqueItems"] === true}
          onTurn={(isOn) => putKeyword(part, "uniqueItems", isOn ? true : undefined)}
        />
      )}
    </>
  );
}

function Items({ items, kind, ...part }: Props & { items: unknown }) {
  if (kind === "other" || !isObject(items))
    return <SchemaJson name={part.name} schema={items} change={part.change} />;
  return (
    <>
      <ProblemList problems={problemsBeside(part.problems, items)} />
      <KindDetails {...part} kind={kind} schema={items} faults={boundFaults(items)} />
    </>
  );
}
