import type { ListAttemptsAnswer } from "@bulkhead/client";
import { useAttempts } from "../../data/executions.ts";
import { Badge, type Tone } from "../../design/badge.tsx";
import { RotateCcw } from "../../design/icons.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { Facts } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";
import { count, duration } from "../../format/numbers.ts";
import { exactTime } from "../../format/times.ts";
import { shownError } from "../../run/error-words.ts";
import { STATUS_LOOKS } from "../../run/execution-words.ts";

type Attempt = ListAttemptsAnswer["attempts"][number];

/** Ends that only tries have, which another one follows. */
const OTHERS = {
  handed_back: { name: "Handed back before it had an effect", tone: "calm" },
  asked: { name: "Its code had a person asked", tone: "warn" },
} as const;

const lookOf = (outcome: Attempt["outcome"]): { name: string; tone: Tone } =>
  outcome === "handed_back" || outcome === "asked" ? OTHERS[outcome] : STATUS_LOOKS[outcome];

/** How often it was tried, and how each try went. */
export function Attempts({ id }: { id: string }) {
  const { data: attempts, error, isPending, refetch } = useAttempts(id);
  if (isPending) return <Loading what="the tries" />;
  if (attempts === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (attempts.length === 0)
    return (
      <Picture icon={RotateCcw} title="It was not tried yet">
        A try shows here once a worker has begun it.
      </Picture>
    );
  return (
    <ol className="grid gap-4 lg:grid-cols-2" aria-label="Tries">
      {attempts.map((attempt) => (
        <li key={attempt.attempt} className="min-w-0">
          <h2 className="mb-2 flex flex-wrap items-center gap-2 text-sm font-semibold">
            Try {attempt.attempt}
            <Badge tone={lookOf(attempt.outcome).tone} hasDot>
              {lookOf(attempt.outcome).name}
            </Badge>
          </h2>
          <AttemptFacts attempt={attempt} />
          {attempt.error !== undefined && (
            <p className="mt-2 rounded-md bg-bad-soft px-3 py-2 text-sm break-words whitespace-pre-wrap">
              <code className="font-mono text-xs text-ink-2">{shownError(attempt.error).code}</code>{" "}
              <Words text={attempt.error.message} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function AttemptFacts({ attempt: { startedAt, finishedAt, usage } }: { attempt: Attempt }) {
  const took =
    startedAt === undefined || finishedAt === undefined
      ? []
      : [["Duration", duration(Date.parse(finishedAt) - Date.parse(startedAt))] as const];
  return (
    <Facts
      facts={[
        ["Started", startedAt === undefined ? "not told" : exactTime(new Date(startedAt))],
        ...took,
        ["Run", duration(usage.wallMs)],
        ["Processor time", duration(usage.cpuMs)],
        [
          "Memory at most",
          `${usage.memoryPeakMib.toLocaleString(undefined, { maximumFractionDigits: 1 })} MiB`,
        ],
        ["Requests", count(usage.networkRequests)],
      ]}
    />
  );
}
