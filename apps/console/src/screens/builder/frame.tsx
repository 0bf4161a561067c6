import { type ReactNode, useState, useSyncExternalStore } from "react";
import { Badge } from "../../design/badge.tsx";
import { classes } from "../../design/classes.ts";
import { Tabs } from "../../design/tabs.tsx";
import type { Bench } from "./bench.ts";
import { type BenchSearch, type BenchTab, MAIN_TABS, showing, SIDE_TABS } from "./builder-search.ts";
import { CodePart } from "./code-part.tsx";
import { CommandPart } from "./command-part.tsx";
import { DetailsPart } from "./details-part.tsx";
import { isCommand } from "./draft.ts";
import type { Example } from "./examples.ts";
import { PermissionsPart } from "./permissions-part.tsx";
import { ProblemBar } from "./problem-bar.tsx";
import { countsOf, type Problem, tabOf } from "./problems.ts";
import { RunPart } from "./run-part.tsx";
import { OutputPart, ParametersPart } from "./schema-part.tsx";
import type { Checked } from "./use-problems.ts";

/** From here on there is room for what is written and what stands beside it. */
const WIDE = matchMedia("(min-width: 64rem)");

const subscribe = (listener: () => void): (() => void) => {
  WIDE.addEventListener("change", listener);
  return () => WIDE.removeEventListener("change", listener);
};

const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => WIDE.matches);

interface Props {
  bench: Bench;
  checked: Checked;
  search: BenchSearch;
  toolId: string;
  missing: readonly string[];
  examples: readonly Example[];
  show: (tab: BenchTab) => void;
  /** Told what is wrong with a schema's text, and with undefined once nothing is. */
  onParametersFault: (fault: string | undefined) => void;
  onOutputFault: (fault: string | undefined) => void;
}

/** What is written in the middle, what it may do and how it runs beside it; on narrow pages one of them at a time. */
export function Frame(props: Props) {
  const { bench, checked, search, toolId, missing, examples, show } = props;
  const isWide = useIsWide();
  const [goTo, setGoTo] = useState<{ line: number; column: number } | null>(null);
  const main = search.tab ?? "code";
  const side = search.side ?? "run";
  const seesMain = isWide || search.at === undefined;
  const seesSide = isWide || search.at === "side";
  const jump = (problem: Problem): void => {
    show(tabOf(problem));
    const { path, line, column } = problem;
    if ((path === "code" || path === "command") && line !== undefined) setGoTo({ line, column: column ?? 1 });
  };
  const sees = (tab: BenchTab): boolean => (seesMain && main === tab) || (seesSide && side === tab);
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_minmax(24rem,36%)]">
      <TabRow bench={bench} isWide={isWide} main={main} side={side} seesSide={seesSide} />
      <div hidden={!seesMain} className={classes("min-h-0 min-w-0 flex-col", seesMain && "flex")}>
        <div hidden={!sees("code")} className={classes("min-h-0 flex-1 flex-col", sees("code") && "flex")}>
          {isCommand(bench.draft) ? (
            <CommandPart bench={bench} goTo={goTo} />
          ) : (
            <CodePart bench={bench} goTo={goTo} />
          )}
        </div>
        <Panel isSeen={sees("parameters")}>
          <ParametersPart bench={bench} onFault={props.onParametersFault} />
        </Panel>
        <Panel isSeen={sees("output")}>
          <OutputPart bench={bench} onFault={props.onOutputFault} />
        </Panel>
        <Panel isSeen={sees("details")}>
          <DetailsPart bench={bench} />
        </Panel>
        <ProblemBar problems={bench.problems} checked={checked} onJump={jump} />
      </div>
      <div hidden={!seesSide} className="min-h-0 min-w-0 border-line p-4 lg:overflow-y-auto lg:border-l">
        <div hidden={side !== "run"}>
          <RunPart bench={bench} toolId={toolId} examples={examples} onRun={() => show("run")} />
        </div>
        {side === "permissions" && <PermissionsPart bench={bench} missing={missing} />}
      </div>
    </div>
  );
}

/** Stays as it is while another is seen: what is half written there is not lost. */
const Panel = ({ isSeen, children }: { isSeen: boolean; children: ReactNode }) => (
  <div hidden={!isSeen} className="min-h-0 flex-1 p-4 lg:overflow-y-auto lg:px-6">
    {children}
  </div>
);

interface RowProps {
  bench: Pick<Bench, "draft" | "problems">;
  isWide: boolean;
  main: BenchTab;
  side: BenchTab;
  seesSide: boolean;
}

/** The tabs: two rows side by side, or one of all. */
function TabRow({ bench: { draft, problems }, isWide, main, side, seesSide }: RowProps) {
  const counts = countsOf(problems.filter(({ severity }) => severity === "error"));
  const marked = (tabs: readonly { name: BenchTab; title: string }[]) =>
    tabs.map(({ name, title }) => ({
      name,
      title: name === "code" && isCommand(draft) ? "Command" : title,
      mark: counts[name] > 0 && <Count of={counts[name]} />,
    }));
  const searchOf = (name: string): object => showing(name as BenchTab);
  if (!isWide)
    return (
      <div className="border-b border-line px-2">
        <Tabs
          label="Parts of the tool"
          tabs={marked([...MAIN_TABS, ...SIDE_TABS])}
          current={seesSide ? side : main}
          searchOf={searchOf}
        />
      </div>
    );
  return (
    <>
      <div className="border-b border-line px-3">
        <Tabs label="What is written" tabs={marked(MAIN_TABS)} current={main} searchOf={searchOf} />
      </div>
      <div className="border-b border-l border-line px-1">
        <Tabs label="What it does" tabs={marked(SIDE_TABS)} current={side} searchOf={searchOf} />
      </div>
    </>
  );
}

const Count = ({ of }: { of: number }) => (
  <span className="ml-1.5 inline-block">
    <Badge tone="bad">
      {of}
      <span className="sr-only">{of === 1 ? " problem" : " problems"}</span>
    </Badge>
  </span>
);
