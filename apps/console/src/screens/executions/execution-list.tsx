import { useExecutions, type Asked } from "../../data/executions.ts";
import { useTail } from "../../data/execution-tail.ts";
import { Button } from "../../design/button.tsx";
import { Activity, ChevronUp, Pause, Play, SearchX } from "../../design/icons.tsx";
import { moreOf, NextPageFailed } from "../../design/next-page.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { Table } from "../../design/table.tsx";
import { useSelection } from "../../design/use-selection.ts";
import { executionsOf } from "../../run/execution-words.ts";
import { NewestFailed } from "../../run/newest-failed.tsx";
import { columnsOf, widthOf } from "./execution-columns.tsx";
import type { ColumnName } from "./columns.ts";
import { ExecutionsBar } from "./executions-bar.tsx";
import { useHold } from "./use-hold.ts";

interface Props {
  asked: Asked;
  columns: readonly ColumnName[];
  /** Whether this role may do something to executions. */
  maySelect: boolean;
  /** By what the list is narrowed; null: it is all that there is. */
  narrowedBy: "filters" | "period" | null;
  clear: () => void;
}

/** The executions that match, the newest on top as they come. */
export function ExecutionList({ asked, columns, maySelect, narrowedBy, clear }: Props) {
  const found = useExecutions(asked);
  const tail = useTail(asked);
  const rows = found.data?.pages.flatMap(({ executions }) => executions) ?? [];
  const hold = useHold(rows);
  const selected = useSelection(hold.shown);
  if (found.isPending) return <Loading what="the executions" />;
  if (found.data === undefined) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  const more = moreOf(found);
  const table = columnsOf(columns, maySelect ? selected : null);
  return (
    <section aria-label="The list" className="p-4 md:px-6">
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-2">
        <p className="text-xs text-ink-3 tabular-nums" aria-live="polite">
          {rows.length > 0 && `${executionsOf(hold.shown.length)}${found.hasNextPage ? " and more" : ""}`}
        </p>
        <Tail hold={hold} />
      </div>
      <NewestFailed found={found} tail={tail} />
      {rows.length > 0 ? (
        <div className="overflow-x-auto">
          <div
            className="md:min-w-(--list-width)"
            style={{ "--list-width": `${widthOf(table)}rem` } as React.CSSProperties}
          >
            <Table
              label="Executions"
              columns={table}
              rows={hold.shown}
              keyOf={({ id }) => id}
              more={more}
              isFetching={found.isFetchingNextPage}
              isSelected={({ id }) => selected.has(id)}
            />
          </div>
        </div>
      ) : !found.hasNextPage ? (
        <Nothing narrowedBy={narrowedBy} clear={clear} />
      ) : (
        <LookFurther isBusy={found.isFetchingNextPage} more={() => void found.fetchNextPage()} />
      )}
      <NextPageFailed found={found} />
      <ExecutionsBar selected={selected} />
    </section>
  );
}

/** Whether new rows come in, and those that wait. */
function Tail({
  hold: { isReading, isPaused, setPaused, waiting, release },
}: {
  hold: ReturnType<typeof useHold>;
}) {
  return (
    <span className="ml-auto flex items-center gap-2">
      {waiting > 0 && (
        <Button
          look="primary"
          icon={ChevronUp}
          onClick={release}
          isSmall={!isReading}
          className={isReading ? "fixed top-16 left-1/2 z-20 -translate-x-1/2 shadow-pop" : undefined}
        >
          {waiting.toLocaleString()} new
        </Button>
      )}
      <Button
        look="quiet"
        icon={isPaused ? Play : Pause}
        isSmall
        title={isPaused ? "New executions show again as they come" : "New executions wait until you go on"}
        onClick={() => setPaused(!isPaused)}
      >
        {isPaused ? "Resume" : "Pause"}
      </Button>
    </span>
  );
}

const Nothing = ({ narrowedBy, clear }: Pick<Props, "narrowedBy" | "clear">) =>
  narrowedBy === null ? (
    <Picture icon={Activity} title="Nothing has run yet">
      Run a tool, from its page or by the API: it shows here at once.
    </Picture>
  ) : (
    <Picture
      icon={SearchX}
      title={narrowedBy === "period" ? "Nothing ran in this period" : "No execution is like that"}
      actions={<Button onClick={clear}>Show all executions</Button>}
    >
      {narrowedBy === "period"
        ? "Run a tool, and it shows here at once, or look further back."
        : "Nothing matches these filters in this period."}
    </Picture>
  );

/** The server looked at so many that it ended the page before it found one. */
const LookFurther = ({ isBusy, more }: { isBusy: boolean; more: () => void }) => (
  <Picture
    icon={SearchX}
    title="None among the latest"
    actions={
      <Button isBusy={isBusy} onClick={more}>
        Look further back
      </Button>
    }
  >
    Few executions match, so the search takes one stretch of time after another.
  </Picture>
);
