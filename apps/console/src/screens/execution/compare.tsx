import type { Execution } from "@bulkhead/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useExecution } from "../../data/executions.ts";
import { GitCompareArrows } from "../../design/icons.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { Words } from "../../design/words.tsx";
import { bytes, count, duration } from "../../format/numbers.ts";
import { exactTime } from "../../format/times.ts";
import { shownError } from "../../run/error-words.ts";
import { SOURCE_NAMES, STATUS_LOOKS } from "../../run/execution-words.ts";
import { RunBadge } from "../../run/run-badge.tsx";
import { Differences, SideBySide } from "./differences.tsx";

const route = getRouteApi("/executions/compare");

/** Two executions side by side, and where they differ. */
export function Compare() {
  const { a, b } = route.useSearch();
  return (
    <>
      <PageHead title="Compare executions" back={{ to: "/executions", name: "Executions" }} />
      {a === undefined || b === undefined ? (
        <Picture icon={GitCompareArrows} title="Select two executions">
          Select two in the list of executions and press Compare, or take “Compare with…” on one of them.
        </Picture>
      ) : (
        <Both a={a} b={b} />
      )}
    </>
  );
}

function Both({ a, b }: { a: string; b: string }) {
  const one = useExecution(a);
  const two = useExecution(b);
  const failed = [one, two].find(({ error, data }) => error !== null && data === undefined);
  if (failed !== undefined) return <Failed error={failed.error} onRetry={() => void failed.refetch()} />;
  if (one.data === undefined || two.data === undefined) return <Loading what="the executions" />;
  const [left, right] = [one.data, two.data];
  return (
    <div className="flex flex-col gap-6 p-4 md:p-6">
      <SideBySide
        title="Facts"
        heads={[<Name execution={left} />, <Name execution={right} />]}
        rows={factsOf(left).map(([name, value], index) => ({
          name,
          a: value,
          b: factsOf(right)[index]?.[1] ?? "",
        }))}
      />
      <Differences title="Arguments" a={left.arguments} b={right.arguments} />
      <Differences title="Result" a={left.result} b={right.result} />
    </div>
  );
}

const Name = ({ execution: { id, status } }: { execution: Execution }) => (
  <span className="flex flex-wrap items-center gap-2">
    <RunBadge status={status} />
    <Link
      to="/executions/$executionId"
      params={{ executionId: id }}
      className="font-mono text-xs break-all text-accent-strong underline-offset-2 hover:underline"
    >
      <Words text={id} />
    </Link>
  </span>
);

const factsOf = (one: Execution): [name: string, value: string][] => [
  ["Tool", one.toolName],
  ["Version", String(one.toolVersion)],
  ["Status", STATUS_LOOKS[one.status].name],
  ["Error", one.error === undefined ? "none" : `${shownError(one.error).code}: ${one.error.message}`],
  ["Source", SOURCE_NAMES[one.source]],
  ["API key", one.keyId],
  ["Agent", one.context.agentId ?? "none"],
  ["Accepted", exactTime(new Date(one.createdAt))],
  ["In all", one.durationMs === undefined ? "goes on" : duration(one.durationMs)],
  ["Run", duration(one.usage.wallMs)],
  ["Processor time", duration(one.usage.cpuMs)],
  ["Memory at most", bytes(one.usage.memoryPeakMib * 1_048_576)],
  ["Requests", count(one.usage.networkRequests)],
  ["Tries", count(one.attempts)],
];
