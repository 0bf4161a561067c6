import { useState } from "react";
import { CodeBlock } from "../design/code-block.tsx";
import { isObject } from "../format/json-object.ts";
import { SchemaTree } from "../screens/tool/schema-tree.tsx";
import { ArgumentForm, type Arguments } from "../screens/tool/test/argument-form.tsx";
import { exampleOf } from "../screens/tool/test/example-arguments.ts";

interface Props {
  schema: unknown;
  kind: "parameters" | "output";
}

/** What callers see of it: the form of the tool's tests, or the result as the tool's page describes it. */
export function Preview({ schema, kind }: Props) {
  const known = isObject(schema) ? schema : {};
  return kind === "output" ? <SchemaTree schema={known} /> : <Form schema={known} />;
}

function Form({ schema }: { schema: Readonly<Record<string, unknown>> }) {
  const [args, setArgs] = useState<Arguments>(() => {
    const example = exampleOf(schema);
    return isObject(example) ? example : {};
  });
  return (
    <div className="@container">
      <div className="grid gap-3 @3xl:grid-cols-2">
        <div className="min-w-0 rounded-lg border border-line bg-surface p-3">
          <p className="mb-3 text-xs font-semibold text-ink-2">The form to test it by</p>
          <ArgumentForm schema={schema} value={args} change={setArgs} />
        </div>
        <div className="min-w-0">
          <p className="mb-1.5 text-xs font-semibold text-ink-2">What a call sends</p>
          <CodeBlock text={JSON.stringify(args, null, 2)} label="Arguments as JSON" />
        </div>
      </div>
    </div>
  );
}
