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

/** Problems of a schema by the places within it. */
const within = ({ problems, draft }: Bench, field: "parameters" | "outputSchema") =>
  ofField(problems, field).map(({ path, message }) => ({ pointer: pointerIn(draft[field], path), message }));

/** What callers give. */
export const ParametersPart = ({ bench, onFault }: Props) => (
  <>
    <Fault words={faultOf(bench.problems, "parameters")} />
    <SchemaBuilder
      kind="parameters"
      label="Parameters"
      schema={bench.draft.parameters}
      onChange={(parameters) => bench.set({ parameters: parameters as Schema })}
      problems={within(bench, "parameters")}
      onFault={onFault}
    />
  </>
);

/** What they get; nothing need be said of it. */
export function OutputPart({ bench, onFault }: Props) {
  const { outputSchema } = bench.draft;
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
        problems={within(bench, "outputSchema")}
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
