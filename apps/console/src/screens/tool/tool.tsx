import type { Tool as ToolRecord } from "@bulkhead/client";
import { getRouteApi } from "@tanstack/react-router";
import { useTool } from "../../data/tools.ts";
import { Badge } from "../../design/badge.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { Words } from "../../design/words.tsx";
import { CREATOR_LOOKS, STATUS_LOOKS } from "../tools/tool-words.ts";
import { Details } from "./details.tsx";
import { TestPanel } from "./test-panel.tsx";
import { ToolSwitches } from "./tool-switches.tsx";
import { TABS } from "./tool-tabs.ts";

const route = getRouteApi("/tools/$toolId");

/** One tool: its record, its code, and a place to try it. */
export function Tool() {
  const { toolId } = route.useParams();
  const { tab = "details" } = route.useSearch();
  const { data: tool, error, isPending, refetch } = useTool(toolId);
  if (isPending) return <Loading what="the tool" />;
  if (tool === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Head tool={tool} tab={tab} />
      <div className="p-4 md:p-6">
        {tab === "details" && <Details tool={tool} />}
        {tab === "code" && <CodeBlock text={tool.code} label={`Code of ${tool.name}`} />}
        {tab === "test" && <TestPanel key={tool.id} tool={tool} />}
      </div>
    </>
  );
}

const Head = ({ tool, tab }: { tool: ToolRecord; tab: string }) => (
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
    {tool.statusReason !== undefined && (
      <p className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm">
        <Words text={tool.statusReason} />
      </p>
    )}
    <p className="-mt-2 mb-3 max-w-3xl text-ink-2">
      <Words text={tool.description} />
    </p>
    <Tabs label="Parts of the tool" tabs={TABS} current={tab} />
  </PageHead>
);
