import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useToolStats } from "../../data/tools.ts";
import { Badge } from "../../design/badge.tsx";
import { LINK, classes } from "../../design/classes.ts";
import { Skeleton } from "../../design/page-states.tsx";
import type { ChangeToolSearch, ToolSearch } from "./tool-search.ts";

interface Props {
  search: ToolSearch;
  change: ChangeToolSearch;
  /** There is nothing to count yet. */
  isNew: boolean;
  /** Buttons, at the end of the heading. */
  actions: ReactNode;
}

/** How many tools there are of each state; a press on one filters by it. */
export function ToolStatsBar({ search, change, isNew, actions }: Props) {
  const { data: stats } = useToolStats();
  const figures = [
    { name: "All tools", status: undefined, count: stats?.total },
    { name: "Active", status: "active", count: stats?.active },
    { name: "Disabled", status: "disabled", count: stats?.disabled },
    { name: "Pending approval", status: "pending_approval", count: stats?.pendingApproval },
  ] as const;
  return (
    <header className="border-b border-line px-4 pt-5 pb-4 md:px-6">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-xl font-semibold">Tools</h1>
        {stats !== undefined && stats.pendingApproval > 0 && (
          <Badge tone="warn" hasDot>
            {stats.pendingApproval.toLocaleString()} pending approval
          </Badge>
        )}
        <span className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-2">
          <Link to="/tools/built-in" className={`${LINK} text-sm`}>
            Built-in tools
          </Link>
          {actions}
        </span>
      </div>
      {!isNew && (
        <div className="mt-4 grid grid-cols-2 gap-2 sm:grid-cols-5">
          {figures.map(({ name, status, count }) => (
            <button
              key={name}
              type="button"
              aria-pressed={search.status === status}
              onClick={() => change({ status })}
              className={classes(
                "rounded-lg border px-3 py-2 text-left transition-colors hover:bg-hover",
                search.status === status ? "border-accent bg-accent-soft" : "border-line bg-surface",
              )}
            >
              <Figure name={name} value={count} />
            </button>
          ))}
          <div className="rounded-lg border border-transparent px-3 py-2">
            <Figure name="Executions" value={stats?.totalUsage} />
          </div>
        </div>
      )}
    </header>
  );
}

const Figure = ({ name, value }: { name: string; value: number | undefined }) => (
  <>
    <span className="block truncate text-xs text-ink-2">{name}</span>
    <span className="block text-lg font-semibold tabular-nums">
      {value === undefined ? <Skeleton className="my-1 h-5 w-10" /> : value.toLocaleString()}
    </span>
  </>
);
