import type { Schedule } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { Badge } from "../../design/badge.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { planWords } from "./plan-words.ts";
import { RunBadge } from "../../run/run-badge.tsx";

const COLUMNS: readonly Column<Schedule>[] = [
  {
    name: "Schedule",
    width: "minmax(8rem, 2.5fr)",
    cell: ({ id, name, toolName }) => (
      <Link from="/schedules" to="." search={(before) => ({ ...before, open: id })} replace {...ROW_LINK}>
        <Words text={name ?? toolName} />
        {name !== undefined && (
          <span className="ml-2 hidden font-mono text-xs font-normal text-ink-3 md:inline">
            <Words text={toolName} />
          </span>
        )}
      </Link>
    ),
  },
  {
    name: "When",
    width: "minmax(10rem, 2fr)",
    from: "md",
    cell: (schedule) => (
      <span title={wordsLine(planWords(schedule))}>
        <Words text={planWords(schedule)} />
      </span>
    ),
  },
  {
    name: "Made by",
    width: "minmax(6rem, 1fr)",
    from: "lg",
    cell: ({ madeByToolName }) =>
      madeByToolName === undefined ? (
        <span className="text-ink-3">a person</span>
      ) : (
        <Words text={madeByToolName} />
      ),
  },
  { name: "Next run", width: "8.5rem", cell: (schedule) => <Next schedule={schedule} /> },
  { name: "Last result", width: "8rem", from: "sm", cell: (schedule) => <Last schedule={schedule} /> },
  {
    name: "Last run",
    width: "8.5rem",
    from: "lg",
    cell: ({ lastRunAt }) =>
      lastRunAt === undefined ? <span className="text-ink-3">never</span> : <When at={lastRunAt} />,
  },
];

interface Props {
  schedules: readonly Schedule[];
  openId: string | undefined;
}

export const ScheduleTable = ({ schedules, openId }: Props) => (
  <Table
    label="Schedules"
    columns={COLUMNS}
    rows={schedules}
    keyOf={({ id }) => id}
    isSelected={({ id }) => id === openId}
  />
);

function Next({ schedule: { status, nextRuns, waitingSince } }: { schedule: Schedule }) {
  if (status === "paused") return <Badge tone="calm">Paused</Badge>;
  if (waitingSince !== undefined) return <Badge tone="info">Waits its turn</Badge>;
  return nextRuns[0] === undefined ? <span className="text-ink-3">none</span> : <When at={nextRuns[0]} />;
}

/** How its latest run ended, or why there was none. */
function Last({ schedule: { lastError, lastStatus } }: { schedule: Schedule }) {
  if (lastError !== undefined)
    return (
      <span title={wordsLine(lastError.message)}>
        <Badge tone="bad">Did not run</Badge>
      </span>
    );
  return lastStatus === undefined ? <span className="text-ink-3">–</span> : <RunBadge status={lastStatus} />;
}
