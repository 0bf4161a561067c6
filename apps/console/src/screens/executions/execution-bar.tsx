import { type ReactNode, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/fields.tsx";
import { ChevronDown, Funnel } from "../../design/icons.tsx";
import { Menu } from "../../design/menu.tsx";
import { SearchWords } from "../../design/search-words.tsx";
import { FilterDialog } from "./filter-dialog.tsx";
import {
  type Changes,
  type ExecutionSearch,
  LOGS_CHARS_MAX,
  type PeriodName,
  PERIODS,
  statusesOf,
} from "./execution-search.ts";
import { STATUS_LOOKS, STATUSES } from "../../run/execution-words.ts";

interface Props {
  search: ExecutionSearch;
  change: (next: Changes) => void;
  /** What the list itself offers. */
  children: ReactNode;
}

/** Words in logs, the period, states, and behind a button all other filters; each stands in the address. */
export function ExecutionBar({ search, change, children }: Props) {
  const [isFiltering, setFiltering] = useState(false);
  const statuses = statusesOf(search);
  const isCustom = search.from !== undefined || search.to !== undefined;
  return (
    <div className="z-10 flex flex-wrap items-center gap-2 border-b border-line bg-ground/95 px-4 py-2.5 md:sticky md:top-0 md:px-6">
      <SearchWords
        label="Search in logs"
        placeholder="Words in logs"
        words={search.logs ?? ""}
        charsMax={LOGS_CHARS_MAX}
        change={(logs) => change({ logs })}
      />
      <Select
        aria-label="Period"
        value={isCustom ? "custom" : (search.period ?? "day")}
        onChange={({ target }) => {
          if (target.value === "custom") return setFiltering(true);
          const period = target.value as PeriodName;
          change({ period: period === "day" ? undefined : period, from: undefined, to: undefined });
        }}
      >
        {Object.entries(PERIODS).map(([value, { name }]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        <option value="custom">From … to …</option>
      </Select>
      <Menu
        label="Status"
        icon={ChevronDown}
        items={STATUSES.map((status) => ({
          name: STATUS_LOOKS[status].name,
          isOn: statuses.includes(status),
          onChoose: () => change({ status: toggled(statuses, status) }),
        }))}
      >
        Status
      </Menu>
      <Button icon={Funnel} onClick={() => setFiltering(true)}>
        Filters
      </Button>
      <span className="flex gap-2 sm:ml-auto">{children}</span>
      {isFiltering && <FilterDialog search={search} change={change} onClose={() => setFiltering(false)} />}
    </div>
  );
}

const toggled = <T extends string>(all: readonly T[], one: T): string | undefined =>
  (all.includes(one) ? all.filter((other) => other !== one) : [...all, one]).join(",") || undefined;
