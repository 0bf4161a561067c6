import type { McpServer as Server } from "@bulkhead/client";
import { getRouteApi } from "@tanstack/react-router";
import { useMcpServer } from "../../data/mcp-servers.ts";
import { useMayWrite } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { Access } from "./access.tsx";
import { SERVER_TABS } from "./mcp-search.ts";
import { ServerActions } from "./server-actions.tsx";
import { ServerTools } from "./server-tools.tsx";
import { nextStepOf, sentence, stateLook } from "./server-words.ts";
import { Setup } from "./setup.tsx";

const route = getRouteApi("/mcp-servers/$name");

/** One server: its tools as they were approved, who gets them, and how it is reached. */
export function McpServer() {
  const { name } = route.useParams();
  const { tab = "tools" } = route.useSearch();
  const { data: server, error, isPending, refetch } = useMcpServer(name);
  if (isPending) return <Loading what="the server" />;
  if (server === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Head key={`head ${name}`} server={server} tab={tab} />
      <div key={name} className="p-4 md:p-6">
        {tab === "tools" && <ServerTools server={server} />}
        {tab === "access" && <Access server={server} />}
        {tab === "setup" && <Setup server={server} />}
      </div>
    </>
  );
}

function Head({ server, tab }: { server: Server; tab: string }) {
  const mayWrite = useMayWrite();
  const { name, stateReason, stateAt, failures } = server;
  const look = stateLook(server);
  const next = nextStepOf(server);
  return (
    <PageHead
      title={name}
      back={{ to: "/mcp-servers", name: "MCP servers" }}
      badges={
        <Badge tone={look.tone} hasDot>
          {look.name}
        </Badge>
      }
      actions={mayWrite && <ServerActions server={server} />}
    >
      {stateReason !== undefined && server.enabled && (
        <p className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm break-words">
          <Words text={sentence(stateReason)} /> {next}{" "}
          <span className="text-ink-2">
            Since <When at={stateAt} />
            {failures > 1 && `, after ${failures.toLocaleString()} failed tries in a row`}.
          </span>
        </p>
      )}
      {(stateReason === undefined || !server.enabled) && next !== null && (
        <p className="-mt-2 mb-3 text-sm text-ink-2">{next}</p>
      )}
      <Tabs label="Parts of the server" tabs={SERVER_TABS} current={tab} />
    </PageHead>
  );
}
