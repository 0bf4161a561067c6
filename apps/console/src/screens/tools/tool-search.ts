import { chosen, oneOf, wordsIn } from "../../format/address.ts";
import type { ToolFilters } from "../../data/tools.ts";

/** What of the screen stands in its address: all that a link should bring back. */
export interface ToolSearch {
  status?: NonNullable<ToolFilters["status"]>;
  by?: NonNullable<ToolFilters["createdBy"]>;
  category?: string;
  q?: string;
  sort?: NonNullable<ToolFilters["sort"]>;
  view?: "list";
}

/** Changes some of it; what is undefined leaves the address. */
export type ChangeToolSearch = (
  next: Partial<{ [Name in keyof ToolSearch]: ToolSearch[Name] | undefined }>,
) => void;

export const STATUSES = ["active", "disabled", "pending_approval", "rejected"] as const;
export const CREATORS = ["user", "llm"] as const;
export const SORTS = ["updatedAt", "createdAt", "name", "usageCount"] as const;
export const SEARCH_CHARS_MAX = 200;
const CATEGORY_CHARS_MAX = 200;

/** What an address says, as far as it is any of the screen's; the rest is left out. */
export const readToolSearch = (raw: Record<string, unknown>): ToolSearch =>
  chosen<ToolSearch>({
    status: oneOf(STATUSES, raw["status"]),
    by: oneOf(CREATORS, raw["by"]),
    category: wordsIn(raw["category"], CATEGORY_CHARS_MAX),
    q: wordsIn(raw["q"], SEARCH_CHARS_MAX),
    sort: oneOf(SORTS, raw["sort"]),
    view: oneOf(["list"], raw["view"]),
  });

export const filtersOf = ({ status, by, category, q, sort }: ToolSearch): ToolFilters => ({
  status,
  createdBy: by,
  category,
  search: q,
  sort: sort ?? "updatedAt",
});

/** Whether it shows less than all tools. */
export const isNarrowed = ({ status, by, category, q }: ToolSearch): boolean =>
  (status ?? by ?? category ?? q) !== undefined;
