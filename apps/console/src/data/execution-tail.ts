import type { ListExecutionsAnswer } from "@bulkhead/client";
import { type InfiniteData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Asked, listKey, readNewest } from "./executions.ts";
import { useHeard } from "./live.ts";
import { type Pages, withEnds, withNewest } from "./merge-executions.ts";

/** The list is looked at again so often while executions come and go. */
const LOOK_MS = 700;

/**
 * Puts executions on top of a list as they come, and tells those of the list that end. Gives the error of the latest look,
 * if it failed.
 */
export function useTail(asked: Asked): { error: Error | null; look: () => Promise<void> } {
  const client = useQueryClient();
  const newest = useQuery({
    queryKey: ["execution-newest", asked],
    queryFn: ({ signal }) => readNewest(asked, signal),
    enabled: false,
    gcTime: 0,
  });
  const change = (by: (pages: Pages) => Pages): void =>
    void client.setQueryData<InfiniteData<ListExecutionsAnswer, string | undefined>>(
      listKey(asked),
      (before) => {
        if (before === undefined) return before;
        const pages = by(before.pages);
        return pages === before.pages
          ? before
          : { pages, pageParams: before.pageParams.slice(0, pages.length) };
      },
    );
  const look = async (): Promise<void> => {
    const { data, error } = await newest.refetch();
    if (data !== undefined && error === null) change((pages) => withNewest(pages, data));
  };
  useHeard(async (heard) => {
    const ended = heard.filter((one) => one?.event === "execution.ended");
    if (ended.length > 0) change((pages) => withEnds(pages, ended));
    const isAbout = heard.some((one) => one === null || one.event.startsWith("execution."));
    // One that asks for the past alone gets nothing new.
    const isPast = asked.filters.to !== undefined && Date.parse(asked.filters.to) < Date.now();
    if (isAbout && !isPast) await look();
  }, LOOK_MS);
  return { error: newest.error, look };
}
