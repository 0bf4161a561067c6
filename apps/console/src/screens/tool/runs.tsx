import type { ExecutionSummary, Tool } from "@bulkhead/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useExecutions } from "../../data/executions.ts";
import { useTail } from "../../data/execution-tail.ts";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/fields.tsx";
import { CirclePlay } from "../../design/icons.tsx";
import { moreOf, NextPageFailed } from "../../design/next-page.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { duration } from "../../format/numbers.ts";
import { shownError } from "../../run/error-words.ts";
import { SOURCE_NAMES, STATUS_LOOKS } from "../../run/execution-words.ts";
import { NewestFailed } from "../../run/newest-failed.tsx";
import { RunBadge } from "../../run/run-badge.tsx";
import { RUN_STATUSES } from "./tool-tabs.ts";

const route = getRouteApi("/tools/$toolId");

/** The tool's executions, newest first; each opens its own page. */
export function Runs({ tool }: { tool: Tool }) {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <div className="flex flex-col gap-3">
      <Select
        aria-label="Status of the executions"
        className="self-start"
        value={status ?? ""}
        onChange={({ target }) => {
          const next = RUN_STATUSES.find((one) => one === target.value);
          void navigate({
            search: (before) => ({ ...before, status: next }) as typeof before,
            replace: true,
          });
        }}
      >
        <option value="">All executions</option>
        {RUN_STATUSES.map((one) => (
          <option key={one} value={one}>
            {STATUS_LOOKS[one].name}
          </option>
        ))}
      </Select>
      <Found toolId={tool.id} status={status} />
    </div>
  );
}

function Found({ toolId, status }: { toolId: string; status: (typeof RUN_STATUSES)[number] | undefined }) {
  const asked = useMemo(() => ({ filters: { tool: toolId, status: status && [status] } }), [toolId, status]);
  const found = useExecutions(asked);
  const tail = useTail(asked);
  const { data, error, isPending, refetch, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = found;
  const more = moreOf(found);
  const rows = data?.pages.flatMap(({ executions }) => executions) ?? [];
  // A page of few matches may end early, even empty: the next one goes on from there.
  const isLookingOn = rows.length === 0 && more !== null;
  const looksOn = isLookingOn && !isFetchingNextPage;
  useEffect(() => {
    if (looksOn) void fetchNextPage();
  }, [looksOn, fetchNextPage]);
  if (isPending || isLookingOn) return <Loading what="the executions" />;
  if (data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (rows.length > 0 || isFetchNextPageError)
    return (
      <>
        <NewestFailed found={found} tail={tail} />
        {rows.length > 0 && (
          <Table
            label="Executions of the tool"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            more={more}
            isFetching={isFetchingNextPage}
          />
        )}
        <NextPageFailed found={found} />
      </>
    );
  return status === undefined ? <NoRuns /> : <p className="text-sm text-ink-3">No execution is like that.</p>;
}

function NoRuns() {
  const navigate = route.useNavigate();
  return (
    <Picture
      icon={CirclePlay}
      title="It has not run yet"
      actions={<Button onClick={() => void navigate({ search: { tab: "test" } })}>Go to Test</Button>}
    >
      Executions show here as they come, whoever asks for them.
    </Picture>
  );
}

/** Where a call came from, and from which agent, as far as it says. */
const Asker = ({ run: { context, source, client } }: { run: ExecutionSummary }) => (
  <span title={client && wordsLine(client)}>
    {context.agentId === undefined ? (
      SOURCE_NAMES[source]
    ) : (
      <>
        {SOURCE_NAMES[source]} by <Words text={context.agentId} />
      </>
    )}
  </span>
);

const COLUMNS: readonly Column<ExecutionSummary>[] = [
  {
    name: "When",
    width: "minmax(7rem, 1fr)",
    cell: ({ id, createdAt }) => (
      <Link to="/executions/$executionId" params={{ executionId: id }} title={id} {...ROW_LINK}>
        <When at={createdAt} />
      </Link>
    ),
  },
  {
    name: "Status",
    width: "minmax(8rem, 1fr)",
    cell: ({ status }) => <RunBadge status={status} />,
  },
  {
    name: "Error",
    width: "minmax(8rem, 1.5fr)",
    from: "lg",
    cell: ({ error }) =>
      error !== undefined && (
        <span title={wordsLine(error.message)} className="font-mono text-xs text-ink-2">
          {shownError(error).code}
        </span>
      ),
  },
  { name: "Source", width: "minmax(8rem, 1.5fr)", from: "sm", cell: (run) => <Asker run={run} /> },
  {
    name: "Version",
    width: "4rem",
    from: "md",
    isNumber: true,
    cell: ({ toolVersion }) => `v${toolVersion}`,
  },
  {
    name: "Duration",
    width: "5rem",
    from: "sm",
    isNumber: true,
    cell: ({ durationMs }) => (durationMs === undefined ? "" : duration(durationMs)),
  },
];
