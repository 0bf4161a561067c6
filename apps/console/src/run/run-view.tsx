import type { EndEvent } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { LINK } from "../design/classes.ts";
import { CirclePlay, Square } from "../design/icons.tsx";
import { wordsOf } from "../data/api.ts";
import { type Run, type Running, useFollowed } from "../data/runs.ts";
import { Badge, type Tone } from "../design/badge.tsx";
import { Button } from "../design/button.tsx";
import { JsonTree } from "../design/json-tree.tsx";
import { notify } from "../design/notices.tsx";
import { Box } from "../design/part.tsx";
import { Picture } from "../design/page-states.tsx";
import { Words } from "../design/words.tsx";
import { duration } from "../format/numbers.ts";
import { STATUS_LOOKS } from "./execution-words.ts";
import { ExecutionOutcome } from "./execution-outcome.tsx";
import { LargeResult } from "./large-result.tsx";
import { readProgress } from "./read-progress.ts";
import { RunLog } from "./run-log.tsx";

/** One run: how it stands, what it says, and what it gave. */
export function RunView({ run }: { run: Run | null }) {
  if (run === null)
    return (
      <Picture icon={CirclePlay} title="Nothing ran yet">
        What the tool says and gives shows here, as it happens.
      </Picture>
    );
  const { lines, dropped, hasGap, progress, end } = run;
  return (
    <section aria-label="The run" className="flex min-w-0 flex-col gap-4">
      <h2 className="sr-only">The run</h2>
      <State run={run} />
      {progress !== undefined && end === null && <ProgressView value={progress} />}
      {lines.length > 0 && <RunLog lines={lines} dropped={dropped} hasGap={hasGap} />}
      {end !== null && <End end={end} />}
    </section>
  );
}

/** Ends what runs, for as long as it does. */
export const CancelRun = ({ running }: { running: Running }) =>
  running.isRunning && (
    <Button
      icon={Square}
      isBusy={running.isEnding}
      onClick={() => void running.cancel().catch((error: unknown) => notify("bad", wordsOf(error)))}
    >
      Cancel
    </Button>
  );

/** An execution from its beginning, as it goes on or as it went. */
export const FollowedRun = ({ executionId }: { executionId: string }) => (
  <RunView run={useFollowed(executionId)} />
);

/** Of an execution that is too large for an event its end tells no more than its status. */
function End({ end }: { end: NonNullable<Run["end"]> }) {
  const { execution, executionId } = end.data;
  if (execution !== undefined) return <ExecutionOutcome execution={execution} />;
  return end.event === "execution.succeeded" ? <LargeResult executionId={executionId} /> : null;
}

function ProgressView({ value }: { value: unknown }) {
  const progress = readProgress(value);
  if (progress === null)
    return (
      <Box title="Progress">
        <JsonTree value={value} />
      </Box>
    );
  return (
    <div className="flex items-center gap-3 text-xs text-ink-2 tabular-nums">
      <progress
        aria-label="Progress"
        max={1}
        value={progress.share}
        className="h-1.5 flex-1 appearance-none overflow-hidden rounded-full bg-calm-soft [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-calm-soft [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[inline-size]"
      />
      <Words text={progress.words} />
    </div>
  );
}

function State({ run }: { run: Run }) {
  const { fault, approvalId, executionId } = run;
  if (fault !== null)
    return (
      <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm break-words">
        <Words text={fault} />
      </p>
    );
  const { name, tone } = lookOf(run);
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge tone={tone} hasDot>
        {name}
      </Badge>
      {approvalId !== null && (
        <Link to="/approvals/$approvalId" params={{ approvalId }} className={`text-sm ${LINK}`}>
          Look at it and answer
        </Link>
      )}
      {executionId !== null && <span className="truncate font-mono text-xs text-ink-3">{executionId}</span>}
    </div>
  );
}

/** The event of an end is named after the status that it leads to. */
const statusOfEnd = ({ event }: EndEvent): keyof typeof STATUS_LOOKS =>
  event.slice("execution.".length) as keyof typeof STATUS_LOOKS;

function lookOf({ end, approvalId, retrying, isStarted, executionId }: Run): { name: string; tone: Tone } {
  if (end !== null) return STATUS_LOOKS[statusOfEnd(end)];
  if (approvalId !== null) return { name: "A person has to allow this call", tone: "warn" };
  if (retrying !== null) {
    const why = retrying.code === undefined ? "" : ` after ${retrying.code}`;
    const when = retrying.delayMs === undefined ? "" : ` in ${duration(retrying.delayMs)}`;
    return { name: `Tries again${when}${why}`, tone: "warn" };
  }
  if (executionId === null) return { name: "Sent", tone: "info" };
  return isStarted ? { name: "Running", tone: "info" } : { name: "Waits for its turn", tone: "info" };
}
