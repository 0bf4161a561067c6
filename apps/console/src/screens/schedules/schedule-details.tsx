import type { Schedule } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useScheduleRuns } from "../../data/schedules.ts";
import { LINK } from "../../design/classes.ts";
import { JsonTree } from "../../design/json-tree.tsx";
import { Box, Facts, Part } from "../../design/part.tsx";
import { Skeleton } from "../../design/page-states.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { duration } from "../../format/numbers.ts";
import { exactTime } from "../../format/times.ts";
import { MISSED, OVERLAPS, planWords } from "./plan-words.ts";
import { RunBadge } from "../../run/run-badge.tsx";

/** Runs that are shown here; all of them are among the executions. */
const RUNS_SHOWN = 8;

/** What a schedule is, when it runs next, and how it went so far. */
export const ScheduleDetails = ({ schedule }: { schedule: Schedule }) => (
  <div className="flex flex-col gap-5">
    <Trouble schedule={schedule} />
    <Facts facts={factsOf(schedule)} />
    {schedule.status === "active" && (
      <Part title="Next times">
        <NextRuns runs={schedule.nextRuns} />
      </Part>
    )}
    <Part title="Latest executions" aside={<AllRuns schedule={schedule} />}>
      <Runs schedule={schedule} />
    </Part>
    <Box title="Arguments">
      <JsonTree value={schedule.arguments} />
    </Box>
  </div>
);

function Trouble({ schedule: { statusReason, lastError } }: { schedule: Schedule }) {
  if (statusReason === undefined && lastError === undefined) return null;
  return (
    <div role="status" className="rounded-md bg-warn-soft px-3 py-2 text-sm">
      {statusReason !== undefined && <Words text={statusReason} />}
      {lastError !== undefined && (
        <p>
          The latest planned run, <When at={lastError.at} />, came to nothing:{" "}
          <Words text={lastError.message} />
        </p>
      )}
    </div>
  );
}

function factsOf(schedule: Schedule): (readonly [string, ReactNode])[] {
  const { toolId, toolName, cron, skippedRuns, lastSkippedAt, timeoutMs, createdBy } = schedule;
  const { madeByTool, madeByToolName } = schedule;
  return [
    [
      "Runs",
      <Link to="/tools/$toolId" params={{ toolId }} className={`font-mono text-xs break-all ${LINK}`}>
        <Words text={toolName} />
      </Link>,
    ],
    ["When", <Words text={planWords(schedule)} />],
    ...(cron === undefined ? [] : [["Pattern", <code className="font-mono text-xs">{cron}</code>] as const]),
    ["While one runs, another", OVERLAPS[schedule.overlap]],
    ["Missed times", MISSED[schedule.missedRuns]],
    ...(lastSkippedAt === undefined
      ? []
      : [
          [
            "Left out",
            <>
              {skippedRuns.toLocaleString()}, the last <When at={lastSkippedAt} />
            </>,
          ] as const,
        ]),
    ["Each may take", duration(timeoutMs)],
    [
      "Created by",
      <Link to="/audit" search={{ key: createdBy }} className={`font-mono text-xs ${LINK}`}>
        {createdBy}
      </Link>,
    ],
    ...(madeByTool === undefined
      ? []
      : [["Made by the tool", <Maker id={madeByTool} name={madeByToolName ?? madeByTool} />] as const]),
    ["Changed", <When at={schedule.updatedAt} />],
  ];
}

/** The tool whose run made it; one that comes with the platform has no page of its own, and is called by its name. */
const Maker = ({ id, name }: { id: string; name: string }) =>
  id === name ? (
    <code className="font-mono text-xs break-all">
      <Words text={name} />
    </code>
  ) : (
    <Link to="/tools/$toolId" params={{ toolId: id }} className={`font-mono text-xs break-all ${LINK}`}>
      <Words text={name} />
    </Link>
  );

/** In the viewer's own zone, whatever the plan's is. */
const NextRuns = ({ runs }: { runs: readonly string[] }) => (
  <ol
    aria-label="Next times"
    className="divide-y divide-line rounded-lg border border-line bg-surface px-3 text-sm"
  >
    {runs.map((at) => (
      <li key={at} className="flex justify-between gap-4 py-1.5">
        <When at={at} />
        <span className="text-right text-ink-2">{exactTime(new Date(at))}</span>
      </li>
    ))}
  </ol>
);

const AllRuns = ({ schedule: { id } }: { schedule: Schedule }) => (
  <Link to="/executions" search={{ schedule: id, period: "any" }} className={`text-sm ${LINK}`}>
    All its executions
  </Link>
);

function Runs({ schedule }: { schedule: Schedule }) {
  const { data: runs, error } = useScheduleRuns(schedule.id, RUNS_SHOWN);
  if (error !== null) return <p className="text-sm text-bad">They could not be loaded.</p>;
  if (runs === undefined) return <Skeleton className="h-12" />;
  if (runs.length === 0) return <p className="text-sm text-ink-3">It has not run yet.</p>;
  return (
    <ul
      aria-label="Latest executions"
      className="divide-y divide-line rounded-lg border border-line bg-surface text-sm"
    >
      {runs.map(({ id, status, createdAt, durationMs }) => (
        <li key={id} className="relative flex items-center gap-3 px-3 py-1.5 hover:bg-hover">
          <RunBadge status={status} />
          <Link
            to="/executions/$executionId"
            params={{ executionId: id }}
            className="after:absolute after:inset-0"
          >
            <When at={createdAt} />
          </Link>
          <span className="ml-auto text-ink-2 tabular-nums">
            {durationMs !== undefined && duration(durationMs)}
          </span>
        </li>
      ))}
    </ul>
  );
}
