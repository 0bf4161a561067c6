import { chosen, oneOf, wordsIn } from "../../format/address.ts";
import type { ToolFilters } from "../../data/tools.ts";

/** What of the screen stands in its address: all that a link should bring back. */
export interface ToolSearch {
  status?: NonNullable<ToolFilters["status"]>;
  by?: NonNullable<ToolFilters["createdBy"]>;
  q?: string;
  sort?: NonNullable<ToolFilters["sort"]>;
  view?: "list";
}

export const STATUSES = ["active", "disabled", "pending_approval", "rejected"] as const;
export const CREATORS = ["user", "llm"] as const;
export const SORTS = ["updatedAt", "createdAt", "name", "usageCount"] as const;
export const SEARCH_CHARS_MAX = 200;

/** What an address says, as far as it is any of the screen's; the rest is left out. */
export const readToolSearch = (raw: Record<string, unknown>): ToolSearch =>
  chosen<ToolSearch>({
    status: oneOf(STATUSES, raw["status"]),
    by: oneOf(CREATORS, raw["by"]),
    q: wordsIn(raw["q"], SEARCH_CHARS_MAX),
    sort: oneOf(SORTS, raw["sort"]),
    view: oneOf(["list"], raw["view"]),
  });

export const filtersOf = ({ status, by, q, sort }: ToolSearch): ToolFilters => ({
  status,
  createdBy: by,
  search: q,
  sort: sort ?? "updatedAt",
});
