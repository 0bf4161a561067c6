import { type ExecutionEvent, isEnd } from "@bulkhead/client";
import { type ReactNode, useState } from "react";
import { useExecutionEvents } from "../../data/execution-events.ts";
import { wordsOf } from "../../data/api.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/fields.tsx";
import { JsonTree } from "../../design/json-tree.tsx";
import { Words } from "../../design/words.tsx";
import { exactTime } from "../../format/times.ts";
import { duration } from "../../format/numbers.ts";

const KINDS = {
  all: { name: "All events", shows: () => true },
  logs: { name: "Log lines", shows: ({ event }: ExecutionEvent) => event === "execution.log" },
  faults: {
    name: "Warnings and errors",
    shows: (told: ExecutionEvent) =>
      told.event === "execution.log" && (told.data.level === "warn" || told.data.level === "error"),
  },
} as const;

/** So many are shown at first, the latest. */
const SHOWN_FIRST = 500;

/** All that an execution has told, in order, and what it tells from now on. */
export function Events({ id }: { id: string }) {
  const { events, isFollowing, error, again } = useExecutionEvents(id);
  const [kind, setKind] = useState<keyof typeof KINDS>("all");
  const [isWhole, setWhole] = useState(false);
  const matching = events.filter(KINDS[kind].shows);
  const shown = isWhole ? matching : matching.slice(-SHOWN_FIRST);
  return (
    <section aria-label="Events" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Select
          aria-label="Which events"
          value={kind}
          onChange={({ target }) => setKind(target.value as keyof typeof KINDS)}
        >
          {Object.entries(KINDS).map(([value, { name }]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
        <span role="status" className="text-xs text-ink-3">
          {isFollowing ? "Live: new ones show as they come." : `${matching.length.toLocaleString()} in all.`}
        </span>
      </div>
      {shown.length < matching.length && (
        <Button className="self-start" onClick={() => setWhole(true)}>
          Show all {matching.length.toLocaleString()}
        </Button>
      )}
      {shown.length > 0 ? (
        <ol className="overflow-hidden rounded-lg border border-line bg-surface py-1">
          {shown.map((told, index) => (
            <Line key={told.id ?? `gap ${index}`} told={told} />
          ))}
        </ol>
      ) : (
        !isFollowing &&
        error === null && (
          <p className="text-sm text-ink-3">
            There is nothing to show. Its log may have been erased, or it said nothing.
          </p>
        )
      )}
      {error !== null && (
        <p role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-sm">
          Its events can't be followed. <Words text={wordsOf(error)} />{" "}
          <Button className="ml-2" onClick={again}>
            Try again
          </Button>
        </p>
      )}
    </section>
  );
}

function Line({ told }: { told: ExecutionEvent }) {
  const at = "at" in told.data ? new Date(told.data.at) : null;
  return (
    <li className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 px-3 py-0.5 text-sm hover:bg-hover">
      <time
        dateTime={at?.toISOString()}
        title={at === null ? undefined : exactTime(at)}
        className="font-mono text-xs leading-6 text-ink-3"
      >
        {at?.toLocaleTimeString(undefined, TIME)}
      </time>
      <div className="min-w-0 leading-6">{saidBy(told)}</div>
    </li>
  );
}

const TIME = {
  hour12: false,
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
} as const;
const LEVELS = { debug: "text-ink-3", info: "text-ink-2", warn: "text-warn", error: "text-bad" } as const;

function saidBy(told: ExecutionEvent): ReactNode {
  if (isEnd(told)) {
    const tone =
      told.event === "execution.succeeded" ? "good" : told.event === "execution.cancelled" ? "calm" : "bad";
    return <Badge tone={tone}>Ended: {told.event.slice("execution.".length).replace("_", " ")}</Badge>;
  }
  switch (told.event) {
    case "execution.log":
      return (
        <span className="flex gap-3 font-mono">
          <span className={`w-11 shrink-0 ${LEVELS[told.data.level]}`}>{told.data.level}</span>
          <span className="min-w-0 break-words whitespace-pre-wrap">
            <Words text={told.data.text} />
          </span>
        </span>
      );
    case "execution.progress":
      return <JsonTree value={told.data.value} />;
    case "execution.queued":
      return <Badge tone="calm">Accepted</Badge>;
    case "execution.started":
      return <Badge tone="info">Started, try {told.data.attempt}</Badge>;
    case "execution.awaiting_approval":
      return <Badge tone="warn">Waits for a person</Badge>;
    case "execution.retrying":
      return (
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone="warn">
            Tries again{told.data.delayMs !== undefined && ` in ${duration(told.data.delayMs)}`}
          </Badge>
          {told.data.error !== undefined && <Words text={told.data.error.message} />}
        </span>
      );
    case "execution.gap":
      return <span className="text-ink-3">Some events in between are kept no more.</span>;
  }
}
