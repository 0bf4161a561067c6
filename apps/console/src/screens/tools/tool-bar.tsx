import { LayoutGrid, List } from "../../design/icons.tsx";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/fields.tsx";
import { SearchWords } from "../../design/search-words.tsx";
import { CREATORS, SEARCH_CHARS_MAX, SORTS, STATUSES, type ToolSearch } from "./tool-search.ts";
import { STATUS_LOOKS } from "./tool-words.ts";

interface Props {
  search: ToolSearch;
  change: (next: Partial<{ [Name in keyof ToolSearch]: ToolSearch[Name] | undefined }>) => void;
}

const CREATOR_NAMES = { user: "Made by people", llm: "Made by models" } as const;
const SORT_NAMES = {
  updatedAt: "Changed last",
  createdAt: "Newest",
  name: "Name",
  usageCount: "Most used",
} as const;

/** Words and filters; each stands in the address. */
export function ToolBar({ search, change }: Props) {
  const isList = search.view === "list";
  return (
    <div className="sticky top-12 z-10 flex flex-wrap items-center gap-2 border-b border-line bg-ground/95 px-4 py-2.5 md:top-0 md:px-6">
      <SearchWords
        label="Search the tools"
        placeholder="Search by name, description or category"
        words={search.q ?? ""}
        charsMax={SEARCH_CHARS_MAX}
        change={(q) => change({ q })}
      />
      <Select
        aria-label="Status"
        value={search.status ?? ""}
        onChange={({ target }) => change({ status: STATUSES.find((one) => one === target.value) })}
      >
        <option value="">Any status</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {STATUS_LOOKS[status].name}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Maker"
        value={search.by ?? ""}
        onChange={({ target }) => change({ by: CREATORS.find((one) => one === target.value) })}
      >
        <option value="">Made by anyone</option>
        {CREATORS.map((by) => (
          <option key={by} value={by}>
            {CREATOR_NAMES[by]}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Order"
        value={search.sort ?? "updatedAt"}
        onChange={({ target }) => change({ sort: SORTS.find((one) => one === target.value) })}
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {SORT_NAMES[sort]}
          </option>
        ))}
      </Select>
      <Button
        look="quiet"
        icon={isList ? LayoutGrid : List}
        aria-label={isList ? "Show as cards" : "Show as a list"}
        title={isList ? "Show as cards" : "Show as a list"}
        onClick={() => change({ view: isList ? undefined : "list" })}
      />
    </div>
  );
}
