import type { Execution } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { type NestedCall, useNestedCalls } from "../../data/execution-calls.ts";
import { useAttempts } from "../../data/executions.ts";
import { wordsOf } from "../../data/api.ts";
import { classes, LINK } from "../../design/classes.ts";
import { Words, wordsLine } from "../../design/words.tsx";
import { count, duration } from "../../format/numbers.ts";
import { STATUS_LOOKS } from "../../run/execution-words.ts";
import { hasMoreTries, type Kind, placeOf, type Stretch, stretchesOf, stretchesOfCall } from "./timeline.ts";

const COLOURS: Readonly<Record<Kind, string>> = {
  delay: "bg-line-strong",
  person: "bg-warn",
  queue: "bg-ink-3",
  retry: "bg-ink-3",
  run: "bg-accent",
  call: "bg-info",
};
const DRAW_MS = 250;

/** Every stretch of an execution's time on one axis, and below it the calls that its tool made. */
export function Waterfall({ execution }: { execution: Execution }) {
  const now = useNow(execution.finishedAt === undefined);
  const attempts = useAttempts(execution.id, hasMoreTries(execution));
  const nested = useNestedCalls(execution.id);
  const calls = nested.data?.calls ?? [];
  const stretches = stretchesOf(execution, attempts.data ?? [], now);
  const begin = Date.parse(execution.createdAt);
  const ends = calls.map(({ execution: call }) =>
    call.finishedAt === undefined ? now : Date.parse(call.finishedAt),
  );
  const end = Math.max(begin + 1, stretches.at(-1)?.to ?? begin, ...ends);
  const fault = attempts.error ?? nested.error;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <Axis length={end - begin} />
      <ol aria-label="Where the time went" className="divide-y divide-line">
        {stretches.map((stretch) => (
          <Row
            key={`${stretch.name} ${stretch.from}`}
            name={stretch.name}
            about={aboutOf(stretch, execution)}
            ms={stretch.to - stretch.from}
          >
            <Bar stretch={stretch} begin={begin} end={end} />
          </Row>
        ))}
        {calls.map((call) => (
          <CallRow key={call.execution.id} call={call} begin={begin} end={end} now={now} />
        ))}
      </ol>
      {nested.data?.isCut === true && (
        <p className="border-t border-line px-3 py-2 text-xs text-ink-3">
          There are more calls.{" "}
          <Link to="/executions" search={{ parent: execution.id, period: "any" }} className={LINK}>
            Show all that it called
          </Link>
        </p>
      )}
      {fault !== null && (
        <p role="alert" className="border-t border-line px-3 py-2 text-sm text-bad">
          <Words text={wordsOf(fault)} />
        </p>
      )}
    </div>
  );
}

/** What the run used of the time that it took; of the last one also what was done before its code began. */
function aboutOf({ attempt }: Stretch, { usage: last, timings, attempts }: Execution): string | undefined {
  if (attempt === undefined) return undefined;
  const usage = attempt.usage.wallMs > 0 ? attempt.usage : last;
  if (usage.wallMs === 0) return undefined;
  const { networkRequests, wallMs, cpuMs } = usage;
  const bind = attempt.attempt === attempts ? timings?.["bind"] : undefined;
  return [
    bind === undefined ? [] : `sandbox ${duration(bind)}`,
    `its code ${duration(wallMs)}`,
    `processor ${duration(cpuMs)}`,
    networkRequests === 0 ? [] : `${count(networkRequests)} requests`,
  ]
    .flat()
    .join(", ");
}

function CallRow({
  call: { execution, depth },
  begin,
  end,
  now,
}: {
  call: NestedCall;
  begin: number;
  end: number;
  now: number;
}) {
  const stretches = stretchesOfCall(execution, now);
  const ms = (stretches.at(-1)?.to ?? 0) - Date.parse(execution.createdAt);
  const name = (
    <Link
      to="/executions/$executionId"
      params={{ executionId: execution.id }}
      data-row
      className="block truncate font-mono text-accent-strong underline-offset-2 hover:underline"
      style={{ paddingLeft: `${(depth - 1) * 0.75}rem` }}
      title={wordsLine(execution.toolName)}
    >
      ↳ <Words text={execution.toolName} />
    </Link>
  );
  return (
    <Row name={name} about={STATUS_LOOKS[execution.status].name.toLowerCase()} ms={ms}>
      {stretches.map((stretch) => (
        <Bar key={`${stretch.name} ${stretch.from}`} stretch={stretch} begin={begin} end={end} />
      ))}
    </Row>
  );
}

interface RowProps {
  name: ReactNode;
  about: string | undefined;
  ms: number;
  children: ReactNode;
}

const GRID =
  "grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-3 sm:grid-cols-[13rem_minmax(0,1fr)_4.5rem]";

const Row = ({ name, about, ms, children }: RowProps) => (
  <li className={classes(GRID, "py-1.5 text-sm hover:bg-hover")}>
    <div className="min-w-0">
      <div className="truncate">{name}</div>
      {about !== undefined && (
        <div className="truncate text-xs text-ink-3" title={about}>
          {about}
        </div>
      )}
    </div>
    <div className="relative order-last col-span-2 h-3 rounded-sm bg-calm-soft sm:order-none sm:col-span-1">
      {children}
    </div>
    <div className="text-right text-xs text-ink-2 tabular-nums">{duration(ms)}</div>
  </li>
);

function Bar({ stretch, begin, end }: { stretch: Stretch; begin: number; end: number }) {
  const { left, width } = placeOf(stretch, begin, end);
  return (
    <span
      title={`${stretch.name}: ${duration(stretch.to - stretch.from)}`}
      className={classes(
        "absolute inset-y-0 rounded-sm",
        stretch.isBad ? "bg-bad" : COLOURS[stretch.kind],
        stretch.isOn && "animate-pulse",
      )}
      style={{ left: `${left}%`, width: `${width}%` }}
    />
  );
}

const Axis = ({ length }: { length: number }) => (
  <div className={classes(GRID, "h-7 border-b border-line text-xs text-ink-3")} aria-hidden>
    <span className="hidden sm:block" />
    <span className="col-span-2 flex justify-between tabular-nums sm:col-span-1">
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <span key={share}>{share === 0 ? "0" : duration(length * share)}</span>
      ))}
    </span>
  </div>
);

/** The time that goes on, while something does. */
function useNow(isOn: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNow(Date.now()), DRAW_MS);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}
