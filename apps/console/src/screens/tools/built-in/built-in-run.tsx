import type { BuiltInTool } from "@bulkhead/client";
import { useState } from "react";
import { useRun } from "../../../data/runs.ts";
import { Button } from "../../../design/button.tsx";
import { JsonArea } from "../../../design/fields.tsx";
import { CirclePlay } from "../../../design/icons.tsx";
import { Box } from "../../../design/part.tsx";
import { Words } from "../../../design/words.tsx";
import { jsonObjectIn } from "../../../format/json-object.ts";
import { CopyCallMenu } from "../../../run/copy-call-menu.tsx";
import { CancelRun, RunView } from "../../../run/run-view.tsx";
import { exampleOf } from "../../tool/test/example-arguments.ts";
import { FormOfJson } from "../../tool/test/form-of-json.tsx";

const written = (value: unknown): string => JSON.stringify(value, null, 2);

/** Runs a built-in tool for real, with arguments as a form or as JSON, and shows how it goes. */
export function BuiltInRun({ tool: { name, parameters } }: { tool: BuiltInTool }) {
  const [text, setText] = useState(() => written(exampleOf(parameters)));
  const running = useRun(name);
  const { run, start, isRunning } = running;
  const args = jsonObjectIn(text);
  const fault = typeof args === "string" ? args : undefined;
  const runIt = (): void => {
    if (typeof args !== "string" && !isRunning) void start(args);
  };
  return (
    <div className="flex flex-col gap-4">
      <Box title="Arguments">
        <FormOfJson schema={parameters} args={args} change={(next) => setText(written(next))} />
        <details className="mt-3">
          <summary className="w-fit cursor-pointer rounded-sm text-xs text-ink-2">As JSON</summary>
          <JsonArea
            aria-label="Arguments as JSON"
            aria-invalid={fault !== undefined}
            className="mt-2 field-sizing-content min-h-32"
            text={text}
            change={setText}
            onSend={runIt}
          />
        </details>
        {fault !== undefined && (
          <p className="text-xs text-bad">
            <Words text={fault} />
          </p>
        )}
      </Box>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look="primary"
          icon={CirclePlay}
          isBusy={isRunning}
          disabled={fault !== undefined}
          onClick={runIt}
          title="For real: what it changes is changed"
        >
          Run tool
        </Button>
        <CancelRun running={running} />
        {typeof args !== "string" && <CopyCallMenu call={{ tool: name, arguments: args }} />}
      </div>
      <RunView run={run} />
    </div>
  );
}
