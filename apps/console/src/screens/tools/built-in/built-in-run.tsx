import type { BuiltInTool } from "@bulkhead/client";
import { useState } from "react";
import { wordsOf } from "../../../data/api.ts";
import { useRun } from "../../../data/runs.ts";
import { Button } from "../../../design/button.tsx";
import { TextArea } from "../../../design/fields.tsx";
import { CirclePlay, Square } from "../../../design/icons.tsx";
import { notify } from "../../../design/notices.tsx";
import { Box } from "../../../design/part.tsx";
import { Words } from "../../../design/words.tsx";
import { jsonObjectIn } from "../../../format/json-object.ts";
import { CopyCallMenu } from "../../../run/copy-call-menu.tsx";
import { RunView } from "../../../run/run-view.tsx";
import { exampleOf } from "../../tool/test/example-arguments.ts";
import { FormOfJson } from "../../tool/test/form-of-json.tsx";

const written = (value: unknown): string => JSON.stringify(value, null, 2);

/** Runs a built-in tool for real, with arguments as a form or as JSON, and shows how it goes. */
export function BuiltInRun({ tool: { name, parameters } }: { tool: BuiltInTool }) {
  const [text, setText] = useState(() => written(exampleOf(parameters)));
  const { run, start, cancel, isRunning } = useRun(name);
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
          <TextArea
            aria-label="Arguments as JSON"
            aria-invalid={fault !== undefined}
            className="mt-2 field-sizing-content min-h-32 font-mono"
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) runIt();
            }}
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
        {isRunning && (
          <Button
            icon={Square}
            onClick={() => void cancel().catch((error: unknown) => notify("bad", wordsOf(error)))}
          >
            Cancel
          </Button>
        )}
        {typeof args !== "string" && <CopyCallMenu call={{ tool: name, arguments: args }} />}
      </div>
      <RunView run={run} />
    </div>
  );
}
