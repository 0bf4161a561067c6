import { LayoutGrid, List } from "../../design/icons.tsx";
import { useToolStats } from "../../data/tools.ts";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/fields.tsx";
import { SearchWords } from "../../design/search-words.tsx";
import { wordsLine } from "../../design/words.tsx";
import { count } from "../../format/numbers.ts";
import {
  type ChangeToolSearch,
  CREATORS,
  SEARCH_CHARS_MAX,
  SORTS,
  STATUSES,
  type ToolSearch,
} from "./tool-search.ts";
import { STATUS_LOOKS } from "./tool-words.ts";

interface Props {
  search: ToolSearch;
  change: ChangeToolSearch;
}

const CREATOR_NAMES = { user: "Created by people", llm: "Created by models" } as const;
const SORT_NAMES = {
  updatedAt: "Changed last",
  createdAt: "Newest",
  name: "Name",
  usageCount: "Most used",
} as const;

/** A filter's name with how many tools it leaves, as far as that is known. */
const withCount = (name: string, value: number | undefined): string =>
  value === undefined ? name : `${name} (${count(value)})`;

/** Words and filters; each stands in the address. */
export function ToolBar({ search, change }: Props) {
  const isList = search.view === "list";
  return (
    <div className="z-10 grid grid-cols-2 items-center gap-2 border-b border-line bg-ground/95 px-4 py-2.5 sm:flex sm:flex-wrap md:sticky md:top-0 md:px-6">
      <div className="col-span-2 flex gap-2 sm:contents">
        <SearchWords
          label="Search the tools"
          placeholder="Search by name, description or category"
          words={search.q ?? ""}
          charsMax={SEARCH_CHARS_MAX}
          change={(q) => change({ q })}
        />
        <Button
          look="quiet"
          className="sm:order-last"
          icon={isList ? LayoutGrid : List}
          aria-label={isList ? "Show as cards" : "Show as a list"}
          title={isList ? "Show as cards" : "Show as a list"}
          onClick={() => change({ view: isList ? undefined : "list" })}
        />
      </div>
      <Filters search={search} change={change} />
      <Select
        aria-label="Order"
        className="min-w-0"
        value={search.sort ?? "updatedAt"}
        onChange={({ target }) => change({ sort: SORTS.find((one) => one === target.value) })}
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {SORT_NAMES[sort]}
          </option>
        ))}
      </Select>
    </div>
  );
}

function Filters({ search, change }: Props) {
  const { data: stats } = useToolStats();
  const counted = stats?.categories ?? [];
  const isCounted = search.category === undefined || counted.some(({ name }) => name === search.category);
  const categories = isCounted ? counted : [{ name: search.category ?? "", count: undefined }, ...counted];
  const byStatus = {
    active: stats?.active,
    disabled: stats?.disabled,
    pending_approval: stats?.pendingApproval,
    rejected: stats?.rejected,
  };
  const byMaker = { user: stats?.createdByUser, llm: stats?.createdByLLM };
  const look = "min-w-0";
  return (
    <>
      <Select
        aria-label="Status"
        className={look}
        value={search.status ?? ""}
        onChange={({ target }) => change({ status: STATUSES.find((one) => one === target.value) })}
      >
        <option value="">Any status</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {withCount(STATUS_LOOKS[status].name, byStatus[status])}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Maker"
        className={look}
        value={search.by ?? ""}
        onChange={({ target }) => change({ by: CREATORS.find((one) => one === target.value) })}
      >
        <option value="">Created by anyone</option>
        {CREATORS.map((by) => (
          <option key={by} value={by}>
            {withCount(CREATOR_NAMES[by], byMaker[by])}
          </option>
        ))}
      </Select>
      {categories.length > 0 && (
        <Select
          aria-label="Category"
          className={`${look} sm:max-w-48`}
          value={search.category ?? ""}
          onChange={({ target }) => change({ category: target.value || undefined })}
        >
          <option value="">Any category</option>
          {categories.map(({ name, count: value }) => (
            <option key={name} value={name}>
              {withCount(wordsLine(name), value)}
            </option>
          ))}
        </Select>
      )}
    </>
  );
}
