import { useMemo } from "react";
import { Button } from "../../design/button.tsx";
import { Plus, X } from "../../design/icons.tsx";
import { Part } from "../../design/part.tsx";
import { pointerIn } from "../../schema-builder/problem-places.ts";
import { SchemaBuilder } from "../../schema-builder/schema-builder.tsx";
import type { Bench } from "./bench.ts";
import { faultOf, ofField } from "./problems.ts";
import { Fault } from "./fault.tsx";

interface Props {
  bench: Bench;
  onFault: (fault: string | undefined) => void;
}

type Schema = Record<string, unknown>;

/** Problems of a schema by the places within it, looked for anew only where they or the schema are others. */
function useWithin({ problems, draft }: Bench, field: "parameters" | "outputSchema") {
  const schema = draft[field];
  return useMemo(
    () =>
      ofField(problems, field).map(({ path, message }) => ({ pointer: pointerIn(schema, path), message })),
    [problems, schema, field],
  );
}

/** What callers give. */
export function ParametersPart({ bench, onFault }: Props) {
  const problems = useWithin(bench, "parameters");
  return (
    <>
      <Fault words={faultOf(bench.problems, "parameters")} />
      <SchemaBuilder
        kind="parameters"
        label="Parameters"
        schema={bench.draft.parameters}
        onChange={(parameters) => bench.set({ parameters: parameters as Schema })}
        problems={problems}
        onFault={onFault}
      />
    </>
  );
}

/** What they get; nothing need be said of it. */
export function OutputPart({ bench, onFault }: Props) {
  const { outputSchema } = bench.draft;
  const problems = useWithin(bench, "outputSchema");
  if (outputSchema === undefined)
    return (
      <Part title="Output">
        <p className="max-w-prose text-sm text-ink-2">
          Any result will do. Describe it, and models know what they get; a run whose result is not like that
          fails.
        </p>
        <Button
          icon={Plus}
          className="mt-3"
          onClick={() => bench.set({ outputSchema: { type: "object", properties: {} } })}
        >
          Describe the result
        </Button>
      </Part>
    );
  return (
    <>
      <Fault words={faultOf(bench.problems, "outputSchema")} />
      <SchemaBuilder
        kind="output"
        label="Output"
        schema={outputSchema}
        onChange={(next) => bench.set({ outputSchema: next as Schema })}
        problems={problems}
        onFault={onFault}
      />
      <Button
        look="quiet"
        icon={X}
        className="mt-4"
        onClick={() => {
          onFault(undefined);
          bench.set({ outputSchema: undefined });
        }}
      >
        Allow any result
      </Button>
    </>
  );
}
