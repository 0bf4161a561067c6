import { useState } from "react";
import { useDraftRun } from "../../data/runs.ts";
import { Button } from "../../design/button.tsx";
import { JsonArea } from "../../design/fields.tsx";
import { CirclePlay } from "../../design/icons.tsx";
import { Box } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";
import { jsonObjectIn } from "../../format/json-object.ts";
import { CancelRun, RunView } from "../../run/run-view.tsx";
import { exampleOf } from "../tool/test/example-arguments.ts";
import { FormOfJson } from "../tool/test/form-of-json.tsx";
import { SavedInputs } from "../tool/test/saved-menu.tsx";
import type { Bench } from "./bench.ts";
import { type Draft, isCommand, runsIn, testBody } from "./draft.ts";
import type { Example } from "./examples.ts";
import { RecordedField } from "./recorded-field.tsx";
import { useCommand } from "./use-keys.ts";

interface Props {
  bench: Bench;
  /** Under which arguments are kept. */
  toolId: string;
  examples: readonly Example[];
  /** It runs: whoever has it beside them sees it. */
  onRun: () => void;
}

const written = (value: unknown): string => JSON.stringify(value, null, 2);

/** Runs the draft as it stands, without saving it; what it says and gives shows as it happens. */
export function RunPart({ bench: { draft, base, isThere }, toolId, examples, onRun }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isJson, setJson] = useState(false);
  const [recorded, setRecorded] = useState<string | null>(null);
  const [ran, setRan] = useState<Draft | null>(null);
  const running = useDraftRun();
  const { run, start, isRunning } = running;
  // Until somebody writes arguments they follow the schema.
  const text = typed ?? written(exampleOf(draft.parameters));
  const args = jsonObjectIn(text);
  const answers = recorded === null ? null : jsonObjectIn(recorded);
  const fault = [args, answers].find((one) => typeof one === "string");
  const isEmpty = runsIn(draft).trim() === "";
  const cannotRun = fault !== undefined || isEmpty;

  function runIt(): void {
    if (typeof args === "string" || typeof answers === "string" || isRunning || isEmpty) return;
    onRun();
    setRan(draft);
    void start(testBody(draft, args, answers, isThere ? base.name : null));
  }
  useCommand("Enter", runIt);

  return (
    <section aria-label="Run the draft" className="flex flex-col gap-4">
      <h2 className="sr-only">Run the draft</h2>
      {examples.length > 0 && (
        <Examples
          examples={examples}
          onTake={(example) => {
            setTyped(written(example.arguments));
            setRecorded(example.recorded === null ? null : written(example.recorded));
          }}
        />
      )}
      <Box
        title="Arguments"
        aside={
          <Button look="quiet" isSmall aria-pressed={isJson} onClick={() => setJson(!isJson)}>
            JSON
          </Button>
        }
      >
        {isJson || typeof args === "string" ? (
          <ArgumentsAsJson
            text={text}
            fault={typeof args === "string" ? args : undefined}
            change={setTyped}
          />
        ) : (
          <FormOfJson schema={draft.parameters} args={args} change={(next) => setTyped(written(next))} />
        )}
        <div className="mt-3 border-t border-line pt-2">
          <SavedInputs key={toolId} toolId={toolId} text={text} take={setTyped} />
        </div>
      </Box>
      <RecordedField
        text={recorded}
        fault={typeof answers === "string" ? answers : undefined}
        change={setRecorded}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look="primary"
          icon={CirclePlay}
          hint="Ctrl ↵"
          isBusy={isRunning}
          disabled={cannotRun}
          title={isEmpty ? `There is no ${isCommand(draft) ? "command" : "code"} yet` : undefined}
          onClick={runIt}
        >
          Run draft
        </Button>
        <CancelRun running={running} />
        {run !== null && ran !== draft && !isRunning && (
          <span className="text-xs text-ink-3">Changed since this run.</span>
        )}
      </div>
      {run === null ? (
        <p className="text-sm text-ink-3">
          {isCommand(draft)
            ? "Runs the command that stands here, saved or not, over your workspace. Its log and its result show here."
            : "Runs what stands here, saved or not, in the real sandbox. Its log and its result show here."}
        </p>
      ) : (
        <RunView run={run} />
      )}
    </section>
  );
}

interface JsonProps {
  text: string;
  fault: string | undefined;
  change: (text: string) => void;
}

const ArgumentsAsJson = ({ text, fault, change }: JsonProps) => (
  <>
    <JsonArea
      aria-label="Arguments as JSON"
      aria-invalid={fault !== undefined}
      aria-describedby="draft-arguments-fault"
      className="field-sizing-content max-h-80 min-h-24"
      text={text}
      change={change}
    />
    <p id="draft-arguments-fault" className="text-xs text-bad">
      {fault !== undefined && <Words text={fault} />}
    </p>
  </>
);

const Examples = ({
  examples,
  onTake,
}: {
  examples: readonly Example[];
  onTake: (example: Example) => void;
}) => (
  <div className="flex flex-wrap items-center gap-1.5">
    <span className="text-xs text-ink-3">Examples</span>
    {examples.map((example) => (
      <Button
        key={example.name}
        isSmall
        className="max-w-full truncate"
        title="Takes its arguments, and what the outside answers"
        onClick={() => onTake(example)}
      >
        <Words text={example.name} />
      </Button>
    ))}
  </div>
);
