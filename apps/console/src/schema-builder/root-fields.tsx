import { isObject, type JsonObject } from "../format/json-object.ts";
import type { Change } from "./builder-parts.ts";
import { changeKind } from "./change-kind.ts";
import { FieldDetails, Kept } from "./field-details.tsx";
import { FieldList } from "./field-list.tsx";
import { kindOf } from "./field-kinds.ts";
import { fieldsIn } from "./fields.ts";
import { isShown } from "./keyword-edits.ts";
import { KindSelect, kindWords } from "./kind-select.tsx";
import { OtherFields } from "./other-fields.tsx";
import { ProblemList } from "./problem-list.tsx";
import { problemsBeside, type SchemaProblem } from "./problem-places.ts";

interface Props {
  schema: unknown;
  kind: "parameters" | "output";
  label: string;
  change: Change;
  problems: readonly SchemaProblem[];
}

/** A whole schema by its fields. */
export function RootFields(props: Props) {
  const { schema, kind } = props;
  const shown = kindOf(schema);
  const isFields = shown === "object" || (kind === "parameters" && shown === "any");
  return (
    <div className="flex flex-col gap-2">
      <ProblemList problems={problemsBeside(props.problems, schema)} />
      {kind === "output" && <ResultKind {...props} />}
      {isFields && isObject(schema) ? (
        <ObjectFields {...props} schema={schema} />
      ) : (
        <div className="@container rounded-lg border border-line bg-surface px-3 py-3">
          <FieldDetails
            name={kind === "output" ? "the result" : "the arguments"}
            schema={schema}
            kind={kind === "parameters" ? "other" : shown}
            change={props.change}
            problems={props.problems}
            Fields={FieldList}
          />
        </div>
      )}
    </div>
  );
}

function ResultKind({ schema, change }: Props) {
  return (
    <p className="flex items-center gap-2 text-sm">
      <span className="font-medium">The result is</span>
      <KindSelect
        label="Type of the result"
        kind={kindOf(schema)}
        className="w-40"
        onChoose={(kind) =>
          change(changeKind(schema, kind).schema, { note: `The result is ${kindWords(kind)} now.` })
        }
      />
    </p>
  );
}

/** Of a whole schema, these are shown by its fields and by what stands below them. */
const SHOWN: readonly string[] = ["type", "properties", "required", "additionalProperties"];

function ObjectFields({ schema, kind, label, change, problems }: Props & { schema: JsonObject }) {
  const kept = Object.keys(schema).filter(
    (keyword) => !SHOWN.includes(keyword) || !isShown(schema, "object", keyword),
  );
  const isEmpty = fieldsIn(schema).length === 0;
  return (
    <div>
      {isEmpty && (
        <p className="mb-1 rounded-lg border border-dashed border-line-strong px-4 py-6 text-center text-sm text-ink-2">
          {kind === "parameters"
            ? "Callers send nothing yet. Add a field, or make the fields from an example of a call."
            : "No field of the result is described. Add one, or make the fields from an example."}
        </p>
      )}
      <FieldList label={label} node={schema} change={change} problems={problems} />
      <div className="flex flex-col gap-2">
        <OtherFields schema={schema} change={change} />
        <Kept schema={schema} keywords={kept} />
      </div>
    </div>
  );
}
