import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { JsonTree } from "../../design/json-tree.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { readSchema, type SchemaField } from "./read-schema.ts";

/** A JSON Schema as people read it, and as it is written for whoever asks. */
export function SchemaTree({ schema }: { schema: Record<string, unknown> }) {
  const [isRaw, setRaw] = useState(false);
  const fields = readSchema(schema);
  return (
    <div className="rounded-lg border border-line bg-surface">
      <div className="p-3">
        {isRaw ? (
          <JsonTree value={schema} />
        ) : fields.length === 0 ? (
          <p className="text-sm text-ink-3">Nothing is said of its fields.</p>
        ) : (
          <Fields fields={fields} />
        )}
      </div>
      <div className="border-t border-line p-1">
        <Button look="quiet" onClick={() => setRaw(!isRaw)}>
          {isRaw ? "Show as a list of fields" : "Show as JSON Schema"}
        </Button>
      </div>
    </div>
  );
}

const Fields = ({ fields }: { fields: readonly SchemaField[] }) => (
  <ul className="flex flex-col gap-2">
    {fields.map(({ name, type, isRequired, description, bounds, fields: inner }) => (
      <li key={name}>
        <div className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-mono text-sm font-semibold break-all">
            <Words text={name} />
          </span>
          <span className="font-mono text-xs text-info">
            <Words text={type} />
          </span>
          {isRequired && <span className="text-xs text-bad">required</span>}
          {bounds.map((bound) => (
            <span key={bound} className="max-w-full truncate text-xs text-ink-3" title={wordsLine(bound)}>
              <Words text={bound} />
            </span>
          ))}
        </div>
        {description !== undefined && (
          <p className="text-sm text-ink-2">
            <Words text={description} />
          </p>
        )}
        {inner.length > 0 && (
          <div className="mt-2 ml-1 border-l border-line pl-4">
            <Fields fields={inner} />
          </div>
        )}
      </li>
    ))}
  </ul>
);
