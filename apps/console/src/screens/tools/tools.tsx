import { getRouteApi } from "@tanstack/react-router";
import { PackageOpen, SearchX } from "../../design/icons.tsx";
import { useTools } from "../../data/tools.ts";
import { Button } from "../../design/button.tsx";
import { Failed, Picture, Skeleton } from "../../design/page-states.tsx";
import { ToolBar } from "./tool-bar.tsx";
import { ToolGrid } from "./tool-grid.tsx";
import { filtersOf, type ToolSearch } from "./tool-search.ts";
import { ToolStatsBar } from "./tool-stats-bar.tsx";

const route = getRouteApi("/tools");

/** All tools of the tenant: how many there are of which kind, found by words and filters, as cards or as a list. */
export function Tools() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<{ [Name in keyof ToolSearch]: ToolSearch[Name] | undefined }>): void =>
    void navigate({ search: (before) => ({ ...before, ...next }) as ToolSearch, replace: true });
  return (
    <>
      <title>Tools · Bulkhead</title>
      <ToolStatsBar search={search} change={change} />
      <ToolBar search={search} change={change} />
      <Found search={search} clear={() => void navigate({ search: {} })} />
    </>
  );
}

function Found({ search, clear }: { search: ToolSearch; clear: () => void }) {
  const found = useTools(filtersOf(search));
  const { data, error, isPending, refetch } = found;
  if (isPending) return <Loading />;
  if (data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  const tools = data.pages.flatMap((page) => page.tools);
  if (tools.length > 0)
    return (
      <ToolGrid
        tools={tools}
        isList={search.view === "list"}
        more={found.hasNextPage ? () => void found.fetchNextPage() : null}
        isFetching={found.isFetchingNextPage}
      />
    );
  const isFiltered = Boolean(search.q ?? search.status ?? search.by);
  if (isFiltered)
    return (
      <Picture
        icon={SearchX}
        title="No tool is like that"
        actions={<Button onClick={clear}>Show all tools</Button>}
      >
        Nothing matches these words and filters.
      </Picture>
    );
  return (
    <Picture icon={PackageOpen} title="There are no tools yet">
      Write the first one in your editor, with <code className="font-mono">bulkhead init</code>, or let an
      agent make one.
    </Picture>
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
