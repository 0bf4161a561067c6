import { Field, TextArea, Toggle } from "../design/fields.tsx";
import { JsonTree } from "../design/json-tree.tsx";
import { Words } from "../design/words.tsx";
import { isObject, type JsonObject } from "../format/json-object.ts";
import { boundFaults } from "./bound-faults.ts";
import type { PartProps } from "./builder-parts.ts";
import { type Kind, takesNull, typeIn, TYPE_OF } from "./field-kinds.ts";
import { isShown, keptKeywords, putKeyword } from "./keyword-edits.ts";
import { KindDetails } from "./kind-details.tsx";
import { SchemaJson } from "./schema-json.tsx";
import { DefaultField, ExamplesField } from "./value-fields.tsx";

interface Props extends Omit<PartProps, "schema"> {
  schema: unknown;
  /** How it is shown; `other`: as JSON. */
  kind: Kind;
}

/** All that is said of one field beside its name and type. */
export function FieldDetails({ schema, kind, ...others }: Props) {
  if (kind === "other" || !isObject(schema)) return <SchemaJson {...others} schema={schema} />;
  const part = { ...others, schema, faults: boundFaults(schema) };
  return (
    <div className="flex flex-col gap-3">
      {isShown(schema, kind, "description") && <Description {...part} />}
      <KindDetails {...part} kind={kind} />
      <div className="grid items-start gap-x-3 gap-y-2 @2xl:grid-cols-2">
        <DefaultField {...part} />
        {isShown(schema, kind, "examples") && <ExamplesField {...part} />}
      </div>
      {TYPE_OF[kind] !== undefined && typeIn(schema) !== undefined && (
        <Toggle
          label="May be null"
          isOn={takesNull(schema)}
          onTurn={(isOn) => putKeyword(part, "type", isOn ? [TYPE_OF[kind], "null"] : TYPE_OF[kind])}
        />
      )}
      <Kept schema={schema} keywords={keptKeywords(schema, kind)} />
    </div>
  );
}

function Description(part: PartProps) {
  const { description } = part.schema;
  return (
    <Field label="Description">
      {(tie) => (
        <TextArea
          {...tie}
          rows={1}
          placeholder="What it is for: models and people choose its value by these words"
          className="field-sizing-content max-h-48"
          value={typeof description === "string" ? description : ""}
          onChange={({ target }) => putKeyword(part, "description", target.value || undefined)}
        />
      )}
    </Field>
  );
}

/** What no control shows. */
export const Kept = ({ schema, keywords }: { schema: JsonObject; keywords: readonly string[] }) =>
  keywords.length > 0 && (
    <details className="text-xs text-ink-2">
      <summary className="cursor-pointer rounded-sm marker:text-ink-3 hover:text-ink">
        Stays as it is written:{" "}
        <span className="font-mono break-all">
          <Words text={keywords.join(", ")} />
        </span>
      </summary>
      <div className="mt-1 max-h-72 overflow-auto rounded-md border border-line bg-surface p-2">
        <JsonTree value={Object.fromEntries(keywords.map((keyword) => [keyword, schema[keyword]]))} />
      </div>
    </details>
  );
