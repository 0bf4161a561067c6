import type { AuditEntry, ListAuditEntriesQuery } from "@bulkhead/client";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "./api.ts";

const PAGE_SIZE = 100;

export type AuditFilters = Pick<
  ListAuditEntriesQuery,
  "action" | "subjectType" | "subjectId" | "keyId" | "from" | "to"
>;

/** Who changed what, the latest first, page by page. */
export const useAudit = (filters: AuditFilters) =>
  useInfiniteQuery({
    queryKey: ["audit", filters],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await api.audit.list({ ...filters, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    // No event tells of new entries: whoever comes back sees them.
    staleTime: 0,
  });

/** Entries that one file holds at most. */
export const EXPORTED_MAX = 10_000;

/** The latest entries that match, up to the bound; `onProgress` hears how many have come. */
export async function collectAudit(
  filters: AuditFilters,
  onProgress: (count: number) => void,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for await (const entry of api.audit.list({ ...filters, limit: 200 })) {
    entries.push(entry);
    if (entries.length % 200 === 0) onProgress(entries.length);
    if (entries.length === EXPORTED_MAX) break;
  }
  return entries;
}
