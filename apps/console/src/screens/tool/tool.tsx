import type { Tool as ToolRecord } from "@bulkhead/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMayRun } from "../../data/session.ts";
import { useTool } from "../../data/tools.ts";
import { Badge } from "../../design/badge.tsx";
import { LINK } from "../../design/classes.ts";
import { CodeBlock } from "../../design/code-block.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { Words } from "../../design/words.tsx";
import { CREATOR_LOOKS, STATUS_LOOKS } from "../tools/tool-words.ts";
import { Access } from "./access.tsx";
import { Details } from "./details.tsx";
import { Runs } from "./runs.tsx";
import { TestPanel } from "./test/test-panel.tsx";
import { ToolSwitches } from "./tool-switches.tsx";
import { TABS } from "./tool-tabs.ts";
import { Versions } from "./versions/versions.tsx";

const route = getRouteApi("/tools/$toolId");

/** One tool: its record, its code, a place to try it, its runs and versions, and who gets it. */
export function Tool() {
  const { toolId } = route.useParams();
  const { tab: asked = "details" } = route.useSearch();
  const mayRun = useMayRun();
  const tab = asked === "test" && !mayRun ? "details" : asked;
  const { data: tool, error, isPending, refetch } = useTool(toolId);
  if (isPending) return <Loading what="the tool" />;
  if (tool === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Head key={`head ${tool.id}`} tool={tool} tab={tab} mayRun={mayRun} />
      <div key={tool.id} className="p-4 md:p-6">
        {tab === "details" && <Details tool={tool} />}
        {tab === "code" && (
          <CodeBlock
            text={tool.command ?? tool.code}
            label={`${tool.command === undefined ? "Code" : "Command"} of ${tool.name}`}
          />
        )}
        {tab === "test" && <TestPanel tool={tool} />}
        {tab === "executions" && <Runs tool={tool} />}
        {tab === "versions" && <Versions tool={tool} />}
        {tab === "access" && <Access tool={tool} />}
      </div>
    </>
  );
}

const Head = ({ tool, tab, mayRun }: { tool: ToolRecord; tab: string; mayRun: boolean }) => (
  <PageHead
    title={tool.name}
    heading={<span className="font-mono">{tool.name}</span>}
    back={{ to: "/tools", name: "Tools" }}
    badges={
      <>
        <Badge tone={STATUS_LOOKS[tool.status].tone} hasDot>
          {STATUS_LOOKS[tool.status].name}
        </Badge>
        <Badge tone={CREATOR_LOOKS[tool.createdBy].tone}>{CREATOR_LOOKS[tool.createdBy].name}</Badge>
      </>
    }
    actions={<ToolSwitches tool={tool} />}
  >
    <Waiting tool={tool} tab={tab} />
    {tool.statusReason !== undefined && (
      <p className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm">
        <Words text={tool.statusReason} />
      </p>
    )}
    <p className="-mt-2 mb-3 max-w-3xl text-ink-2">
      <Words text={tool.description} />
    </p>
    <Tabs
      label="Parts of the tool"
      tabs={TABS.filter(({ name }) => mayRun || name !== "test")}
      current={tab}
    />
  </PageHead>
);

/** What waits of the tool, and where a person sees what they would allow. */
function Waiting({ tool, tab }: { tool: ToolRecord; tab: string }) {
  const waiting = tool.status === "pending_approval" ? tool.version : tool.pendingVersion;
  if (waiting === undefined || tab === "versions") return null;
  return (
    <p className="mb-4 flex flex-wrap items-center gap-x-3 rounded-md bg-warn-soft px-3 py-2 text-sm">
      Version {waiting} waits for a person to approve it.
      <Link to="." search={{ tab: "versions", v: waiting }} className={`font-medium ${LINK}`}>
        See what it may do
      </Link>
    </p>
  );
}
