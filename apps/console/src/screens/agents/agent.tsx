import { getRouteApi, Link } from "@tanstack/react-router";
import { LINK } from "../../design/classes.ts";
import { PageHead } from "../../design/page-head.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { Connect } from "./connect.tsx";
import { AGENT_TABS } from "./definition.ts";
import { Definitions } from "./definitions.tsx";
import { KeysAndTools } from "./keys-and-tools.tsx";

const route = getRouteApi("/agents/one");

/** One agent, or those that have no id. */
export function Agent() {
  const { agent, tab = "sees" } = route.useSearch();
  return (
    <>
      <PageHead
        title={agent === undefined ? "Agents without an id" : wordsLine(agent)}
        heading={agent === undefined ? undefined : <Words text={agent} />}
        back={{ to: "/agents", name: "Agents" }}
        actions={
          <Link
            to="/policy"
            search={agent === undefined ? {} : { agent }}
            className={`inline-flex h-8 items-center text-sm ${LINK}`}
          >
            What the policy gives it, and why
          </Link>
        }
      >
        <Tabs label="Parts of the agent" tabs={AGENT_TABS} current={tab} />
      </PageHead>
      <div className="p-4 md:p-6">
        {tab === "sees" && <Definitions />}
        {tab === "tools" && <KeysAndTools agentId={agent} />}
        {tab === "connect" && <Connect agentId={agent} />}
      </div>
    </>
  );
}
