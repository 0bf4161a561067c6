import type { Execution } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CopyButton } from "../../design/copy-button.tsx";
import { Facts } from "../../design/part.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { count, duration } from "../../format/numbers.ts";
import { exactTime } from "../../format/times.ts";
import { CONTEXT_NAMES, CONTEXT_WORDS } from "../../run/context-words.ts";
import type { ExecutionSearch } from "../executions/execution-search.ts";
import { SOURCE_NAMES } from "../../run/execution-words.ts";
import { TraceId } from "./trace-id.tsx";

type Fact = readonly [name: string, value: ReactNode];

const LINK = "text-accent-strong underline-offset-2 hover:underline";

const ENDED_BY = {
  guest: "its code or runtime",
  isolate: "V8",
  process: "its sandbox",
  worker: "the worker",
  system: "the system",
} as const;

/** All that is known of an execution beside its payloads; what it has in common with others leads to those. */
export function ExecutionFacts({ execution }: { execution: Execution }) {
  const { id, toolId, toolName, context, usage, keyId, client, parentId, replayOf, scheduleId } = execution;
  const facts: Fact[] = [
    ["Id", <Copied text={id} what="the id" />],
    [
      "Tool",
      toolId === null ? (
        <Words text={toolName} />
      ) : (
        <Link to="/tools/$toolId" params={{ toolId }} className={LINK}>
          <Words text={toolName} />
        </Link>
      ),
    ],
    ["Source", SOURCE_NAMES[execution.source]],
    ["API key", <Others search={{ key: keyId }} text={keyId} />],
    ...given("Program", client),
    ...(parentId === undefined ? [] : [["Called by", <Other id={parentId} />] as const]),
    ...(replayOf === undefined ? [] : [["Replay of", <Other id={replayOf} />] as const]),
    ...(scheduleId === undefined
      ? []
      : [
          [
            "Schedule",
            <Others search={{ schedule: scheduleId, period: "any" }} text={scheduleId} />,
          ] as const,
        ]),
    ["Accepted", <When at={execution.createdAt} />],
    ...moment("Not before", execution.notBefore),
    ...moment("Started", execution.startedAt),
    ...moment("Ended", execution.finishedAt),
    ["Tries", count(execution.attempts)],
    ["Priority", execution.priority],
    ["Processor time", duration(usage.cpuMs)],
    ["Run", duration(usage.wallMs)],
    ["Memory at most", `${usage.memoryPeakMib.toLocaleString(undefined, { maximumFractionDigits: 1 })} MiB`],
    ["Requests", count(usage.networkRequests)],
    ...given("Ended by", execution.endedBy && ENDED_BY[execution.endedBy]),
    ["Trace", <TraceId traceId={execution.traceId} />],
  ];
  return (
    <div className="flex flex-col gap-4">
      <Facts facts={facts} />
      <Context context={context} />
    </div>
  );
}

const given = (name: string, value: string | undefined): Fact[] =>
  value === undefined ? [] : [[name, <Words text={value} />]];

const moment = (name: string, at: string | undefined): Fact[] =>
  at === undefined ? [] : [[name, exactTime(new Date(at))]];

/** What the caller said about the call. */
function Context({ context }: Pick<Execution, "context">) {
  const facts = CONTEXT_NAMES.flatMap((name): Fact[] => {
    const value = context[name];
    if (value === undefined) return [];
    const text = String(value);
    if (name === "agentId") return [[CONTEXT_WORDS[name], <Others search={{ agent: text }} text={text} />]];
    if (name === "conversationId")
      return [[CONTEXT_WORDS[name], <Others search={{ conversation: text, period: "any" }} text={text} />]];
    return [[CONTEXT_WORDS[name], <Words text={text} />]];
  });
  return facts.length === 0 ? null : <Facts facts={facts} />;
}

/** Leads to all executions that have it in common. */
const Others = ({ search, text }: { search: ExecutionSearch; text: string }) => (
  <Link to="/executions" search={search} className={`${LINK} break-all`} title="Show all executions of it">
    <Words text={text} />
  </Link>
);

const Other = ({ id }: { id: string }) => (
  <Link
    to="/executions/$executionId"
    params={{ executionId: id }}
    className={`${LINK} font-mono text-xs break-all`}
  >
    {id}
  </Link>
);

const Copied = ({ text, what }: { text: string; what: string }) => (
  <span className="flex items-center justify-end gap-1">
    <code className="min-w-0 truncate font-mono text-xs">{text}</code>
    <CopyButton text={text} what={what} isSmall />
  </span>
);
