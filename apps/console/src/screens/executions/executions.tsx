import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useMayRun } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Columns3, RotateCcw } from "../../design/icons.tsx";
import { Menu } from "../../design/menu.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Chips } from "./chips.tsx";
import { chosenColumns, COLUMNS, type ColumnName, keepColumns, toggleColumn } from "./columns.ts";
import { ExecutionBar } from "./execution-bar.tsx";
import { ExecutionList } from "./execution-list.tsx";
import { askedOf, type Changes, type ExecutionSearch } from "./execution-search.ts";
import { Histogram } from "./histogram.tsx";
import { ReplayAll } from "./replay-all.tsx";

const route = getRouteApi("/executions");

/** What ran and what runs: over time, narrowed by all that the server can, live. */
export function Executions() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayRun = useMayRun();
  const [columns, setColumns] = useState(chosenColumns);
  const [isReplaying, setReplaying] = useState(false);
  const asked = useMemo(() => askedOf(search), [search]);
  const go = (next: ExecutionSearch): void => void navigate({ search: next });
  const change = (next: Changes): void => go({ ...search, ...next } as ExecutionSearch);
  const isFiltered = Object.keys(asked.filters).some((name) => name !== "from" && name !== "to");
  const isAnyTime = search.period === "any";
  return (
    <>
      <PageHead
        title="Executions"
        actions={
          mayRun && (
            <Button icon={RotateCcw} onClick={() => setReplaying(true)}>
              Replay all…
            </Button>
          )
        }
      >
        <Histogram asked={asked} search={search} change={change} />
      </PageHead>
      <ExecutionBar search={search} change={change}>
        <ColumnMenu
          columns={columns}
          change={(next) => {
            keepColumns(next);
            setColumns(next);
          }}
        />
      </ExecutionBar>
      <Chips search={search} change={change} clear={() => go({})} />
      <ExecutionList
        asked={asked}
        columns={columns}
        maySelect={mayRun}
        narrowedBy={isFiltered ? "filters" : isAnyTime ? null : "period"}
        clear={() => go({ period: "any" })}
      />
      {isReplaying && <ReplayAll search={search} onClose={() => setReplaying(false)} />}
    </>
  );
}

interface ColumnMenuProps {
  columns: readonly ColumnName[];
  change: (next: ColumnName[]) => void;
}

/** Which columns are shown, kept by this browser. */
const ColumnMenu = ({ columns, change }: ColumnMenuProps) => (
  <Menu
    label="Columns"
    icon={Columns3}
    items={(Object.keys(COLUMNS) as ColumnName[]).map((name) => ({
      name: COLUMNS[name],
      isOn: columns.includes(name),
      onChoose: () => change(toggleColumn(columns, name)),
    }))}
  >
    Columns
  </Menu>
);
