import type { Tool } from "@bulkhead/client";
import { useState } from "react";
import { useDryRun } from "../../../data/dry-run.ts";
import { useRun } from "../../../data/runs.ts";
import { useMayWrite } from "../../../data/session.ts";
import { Button } from "../../../design/button.tsx";
import { JsonArea } from "../../../design/fields.tsx";
import { CirclePlay, FlaskConical } from "../../../design/icons.tsx";
import { Box, Part } from "../../../design/part.tsx";
import { Words } from "../../../design/words.tsx";
import { jsonObjectIn } from "../../../format/json-object.ts";
import { CopyCallMenu } from "../../../run/copy-call-menu.tsx";
import { CancelRun, RunView } from "../../../run/run-view.tsx";
import { FormOfJson } from "./form-of-json.tsx";
import { DryRunView } from "./dry-run-view.tsx";
import { exampleOf } from "./example-arguments.ts";
import { SavedInputs } from "./saved-menu.tsx";

const written = (value: unknown): string => JSON.stringify(value, null, 2);

/** Arguments as a form and as JSON, each of which follows the other; the run below them, as it happens. */
export function TestPanel({ tool }: { tool: Tool }) {
  const [text, setText] = useState(() => written(exampleOf(tool.parameters)));
  const [shown, setShown] = useState<"run" | "dry">("run");
  const running = useRun(tool.id);
  const { run, start, isRunning } = running;
  const dry = useDryRun(tool);
  const mayWrite = useMayWrite();
  const args = jsonObjectIn(text);
  const fault = typeof args === "string" ? args : undefined;

  function runIt(): void {
    if (typeof args === "string" || isRunning) return;
    setShown("run");
    void start(args);
  }
  function tryOut(): void {
    if (typeof args === "string") return;
    setShown("dry");
    dry.mutate(args);
  }

  return (
    <div className="flex flex-col gap-6">
      <Part title="Arguments" aside={<SavedInputs toolId={tool.id} text={text} take={setText} />}>
        <div className="grid gap-4 lg:grid-cols-2">
          <Box title="Form">
            <FormOfJson schema={tool.parameters} args={args} change={(next) => setText(written(next))} />
          </Box>
          <Box title="JSON">
            <JsonArea
              aria-label="Arguments as JSON"
              aria-invalid={fault !== undefined}
              aria-describedby="arguments-fault"
              className="field-sizing-content max-h-[60vh] min-h-40"
              text={text}
              change={setText}
              onSend={runIt}
            />
            <p
              id="arguments-fault"
              className={fault === undefined ? "text-xs text-ink-3" : "text-xs text-bad"}
            >
              <Words text={fault ?? "Ctrl-Enter runs the tool."} />
            </p>
          </Box>
        </div>
      </Part>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look="primary"
          icon={CirclePlay}
          isBusy={isRunning}
          disabled={fault !== undefined}
          onClick={runIt}
          title="For real: what it sends is sent"
        >
          Run tool
        </Button>
        {mayWrite && tool.mcp === undefined && (
          <Button
            icon={FlaskConical}
            isBusy={dry.isPending}
            disabled={fault !== undefined}
            onClick={tryOut}
            title="Every request and call of another tool is refused, and shown"
          >
            Dry run
          </Button>
        )}
        <CancelRun running={running} />
        {typeof args !== "string" && <CopyCallMenu call={{ tool: tool.name, arguments: args }} />}
        <span className="text-xs text-ink-3">
          A run is for real. A dry run refuses whatever reaches outside, and shows what that was.
        </span>
      </div>
      {shown === "run" ? (
        <RunView run={run} />
      ) : (
        <DryRunView run={dry.data} error={dry.error} isPending={dry.isPending} />
      )}
    </div>
  );
}
