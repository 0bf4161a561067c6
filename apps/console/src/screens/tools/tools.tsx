import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { type ImportSource, readDropped } from "../../data/read-files.ts";
import { useMayWrite } from "../../data/session.ts";
import { useTools, useToolStats } from "../../data/tools.ts";
import { DropZone } from "../../design/drop-zone.tsx";
import { notify } from "../../design/notices.tsx";
import { moreOf, NextPageFailed } from "../../design/next-page.tsx";
import { Failed, NoneLikeThat, Skeleton } from "../../design/page-states.tsx";
import { useSelection } from "../../design/use-selection.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { AgentDialog } from "./first-run/agent-dialog.tsx";
import { FirstRun } from "./first-run/first-run.tsx";
import { ImportDialog } from "./import/import-dialog.tsx";
import { type Begin, NewMenu } from "./new-menu.tsx";
import { ToolBar } from "./tool-bar.tsx";
import { ToolGrid } from "./tool-grid.tsx";
import { type ChangeToolSearch, filtersOf, isNarrowed, type ToolSearch } from "./tool-search.ts";
import { ToolStatsBar } from "./tool-stats-bar.tsx";

const route = getRouteApi("/tools");

/** All tools of the tenant: how many there are of which kind, found by words and filters, as cards or as a list. */
export function Tools() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMayWrite();
  // Figures and filters of nothing would only stand in the way of the first tool.
  const isNew = useToolStats().data?.total === 0 && !isNarrowed(search);
  const [how, begin] = useState<Begin | null>(null);
  const [source, setSource] = useState<ImportSource | null>(null);
  const change: ChangeToolSearch = (next) =>
    void navigate({ search: (before) => ({ ...before, ...next }) as ToolSearch, replace: true });
  const close = (): void => {
    begin(null);
    setSource(null);
  };
  const choose = (read: Promise<ImportSource>): void =>
    void read.then(
      (found) => {
        setSource(found);
        begin("import");
      },
      (error: unknown) => {
        close();
        notify("bad", `This could not be imported: ${wordsOf(error)}`);
      },
    );
  return (
    <DropZone
      says="Drop folders or a zip of tools: you see first what would be done"
      onDrop={(items) => choose(readDropped(items))}
      isOff={!mayWrite}
    >
      <title>Tools · Bulkhead</title>
      <ToolStatsBar
        search={search}
        change={change}
        isNew={isNew}
        actions={mayWrite && <NewMenu begin={begin} />}
      />
      {!isNew && <ToolBar search={search} change={change} />}
      <Found search={search} clear={() => void navigate({ search: {} })} begin={begin} />
      {how === "agent" && <AgentDialog onClose={close} />}
      {how === "import" && <ImportDialog source={source} choose={choose} onClose={close} />}
    </DropZone>
  );
}

interface FoundProps {
  search: ToolSearch;
  clear: () => void;
  begin: (how: Begin) => void;
}

function Found({ search, clear, begin }: FoundProps) {
  const found = useTools(filtersOf(search));
  const { data, error, isPending, refetch } = found;
  const tools = data?.pages.flatMap((page) => page.tools) ?? [];
  const selected = useSelection(tools);
  if (isPending) return <Loading />;
  if (data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {tools.length > 0 && (
        <ToolGrid
          tools={tools}
          isList={search.view === "list"}
          more={moreOf(found)}
          isFetching={found.isFetchingNextPage}
          selected={selected}
        />
      )}
      <NextPageFailed found={found} />
      {tools.length === 0 &&
        (isNarrowed(search) ? <NoneLikeThat what="tool" onClear={clear} /> : <FirstRun begin={begin} />)}
      <BulkBar selected={selected} />
    </>
  );
}

const Loading = () => (
  <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-3 p-4 md:px-6" aria-busy>
    <span className="sr-only">Loading the tools</span>
    {Array.from({ length: 9 }, (_, n) => (
      <Skeleton key={n} className="h-36 rounded-lg" />
    ))}
  </div>
);
