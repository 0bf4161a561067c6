import type { Execution as Record } from "@bulkhead/client";
import { getRouteApi } from "@tanstack/react-router";
import { useExecution } from "../../data/executions.ts";
import { Badge } from "../../design/badge.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { duration } from "../../format/numbers.ts";
import { SOURCE_NAMES } from "../../run/execution-words.ts";
import { RunBadge } from "../../run/run-badge.tsx";
import { Attempts } from "./attempts.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Events } from "./events.tsx";
import { ExecutionActions } from "./execution-actions.tsx";
import { TABS } from "./execution-tabs.ts";
import { Overview } from "./overview.tsx";

const route = getRouteApi("/executions/$executionId");

/** One execution: how it stands, where its time went, what it was given and gave. */
export function Execution() {
  const { executionId } = route.useParams();
  const { tab = "overview" } = route.useSearch();
  const { data: execution, error, isPending, refetch } = useExecution(executionId);
  if (isPending) return <Loading what="the execution" />;
  if (execution === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Head key={`head ${execution.id}`} execution={execution} tab={tab} />
      <div key={execution.id} className="p-4 md:p-6">
        {tab === "overview" && <Overview execution={execution} />}
        {tab === "events" && <Events id={execution.id} />}
        {tab === "attempts" && <Attempts id={execution.id} />}
        {tab === "deliveries" && <Deliveries execution={execution} />}
      </div>
    </>
  );
}

const Head = ({ execution, tab }: { execution: Record; tab: string }) => (
  <PageHead
    title={execution.toolName}
    heading={
      <span className="font-mono">
        <Words text={execution.toolName} />
      </span>
    }
    back={{ to: "/executions", name: "Executions" }}
    badges={
      <>
        <RunBadge status={execution.status} />
        <Badge tone="calm">Version {execution.toolVersion}</Badge>
      </>
    }
    actions={<ExecutionActions execution={execution} />}
  >
    <p className="-mt-2 mb-2 text-sm text-ink-2">
      <When at={execution.createdAt} /> · {SOURCE_NAMES[execution.source]}
      {execution.context.agentId !== undefined && (
        <>
          {" "}
          for the agent <Words text={execution.context.agentId} />
        </>
      )}
      {execution.durationMs !== undefined && ` · ${duration(execution.durationMs)} in all`}
    </p>
    <Tabs label="Parts of the execution" tabs={TABS} current={tab} />
  </PageHead>
);
