import { CirclePlay } from "../../design/icons.tsx";
import type { Run } from "../../data/runs.ts";
import { Badge, type Tone } from "../../design/badge.tsx";
import { JsonTree } from "../../design/json-tree.tsx";
import { Box } from "../../design/part.tsx";
import { Picture } from "../../design/page-states.tsx";
import { Words } from "../../design/words.tsx";

const ENDS: Readonly<Record<string, { name: string; tone: Tone }>> = {
  succeeded: { name: "Succeeded", tone: "good" },
  failed: { name: "Failed", tone: "bad" },
  timed_out: { name: "Timed out", tone: "bad" },
  cancelled: { name: "Cancelled", tone: "calm" },
  denied: { name: "Denied", tone: "bad" },
  lost: { name: "Lost", tone: "bad" },
};

/** One run: how it stands, what it says, and what it gave. */
export function RunView({ run }: { run: Run | null }) {
  if (run === null)
    return (
      <Picture icon={CirclePlay} title="Nothing ran yet">
        What the tool says and gives shows here, as it happens.
      </Picture>
    );
  const { lines, progress, end } = run;
  const execution = end?.data.execution;
  return (
    <section aria-label="The run" aria-live="polite" className="flex min-w-0 flex-col gap-4">
      <State run={run} />
      {progress !== undefined && end === null && (
        <Box title="Progress">
          <JsonTree value={progress} />
        </Box>
      )}
      {lines.length > 0 && (
        <Box title="Log">
          <ol className="max-h-72 overflow-auto font-mono text-sm leading-6">
            {lines.map(({ level, text }, index) => (
              <li key={index} className="flex gap-3">
                <span
                  className={level === "error" ? "text-bad" : level === "warn" ? "text-warn" : "text-ink-3"}
                >
                  {level}
                </span>
                <span className="min-w-0 break-words whitespace-pre-wrap">
                  <Words text={text} />
                </span>
              </li>
            ))}
          </ol>
        </Box>
      )}
      {execution !== undefined && end?.event === "execution.succeeded" && (
        <Box title="Result">
          <JsonTree value={execution.result ?? null} />
        </Box>
      )}
      {execution?.error !== undefined && (
        <Box title={execution.error.code}>
          <p className="text-sm break-words whitespace-pre-wrap">
            <Words text={execution.error.message} />
          </p>
        </Box>
      )}
    </section>
  );
}

function State({ run: { end, fault, approvalId, executionId } }: { run: Run }) {
  if (fault !== null)
    return (
      <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm">
        {fault}
      </p>
    );
  const look = end === null ? null : ENDS[end.event.slice("execution.".length)];
  const waiting = approvalId === null ? "Running" : "A person has to allow this call";
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Badge tone={look?.tone ?? (approvalId === null ? "info" : "warn")} hasDot>
        {look?.name ?? (executionId === null ? "Sent" : waiting)}
      </Badge>
      {executionId !== null && <span className="truncate font-mono text-xs text-ink-3">{executionId}</span>}
    </div>
  );
}
