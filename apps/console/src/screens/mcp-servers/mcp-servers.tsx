import type { McpServer } from "@bulkhead/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMcpServers } from "../../data/mcp-servers.ts";
import { useMayWrite } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Plug, Plus } from "../../design/icons.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { Words } from "../../design/words.tsx";
import { SERVERS_TABS } from "./mcp-search.ts";
import { Requests } from "./requests.tsx";
import { ServerDialog } from "./server-dialog.tsx";
import { nextStepOf, sentence, stateLook, TRANSPORTS } from "./server-words.ts";

const route = getRouteApi("/mcp-servers");

/** Servers of others' whose tools are the tenant's, and who wishes to get them. */
export function McpServers() {
  const { tab = "servers" } = route.useSearch();
  const [isAdding, setAdding] = useState(false);
  const servers = useMcpServers();
  const mayWrite = useMayWrite();
  const add = mayWrite && (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add a server
    </Button>
  );
  return (
    <>
      <PageHead title="MCP servers" actions={add}>
        <p className="-mt-2 mb-3 max-w-3xl text-ink-2">
          Others' servers of the Model Context Protocol: their tools become the tenant's, pinned as a person
          has seen them.
        </p>
        <Tabs label="Parts of the page" tabs={SERVERS_TABS} current={tab} />
      </PageHead>
      <div className="p-4 md:px-6">
        {tab === "requests" ? (
          <Requests />
        ) : servers.isPending ? (
          <Loading what="the servers" />
        ) : servers.data === undefined ? (
          <Failed error={servers.error} onRetry={() => void servers.refetch()} />
        ) : servers.data.length === 0 ? (
          <Picture icon={Plug} title="There are no MCP servers" actions={add}>
            Add one, and its tools can be called, approved and followed as your own.
          </Picture>
        ) : (
          <Table label="MCP servers" columns={COLUMNS} rows={servers.data} keyOf={({ name }) => name} />
        )}
      </div>
      {isAdding && <ServerDialog onClose={() => setAdding(false)} />}
    </>
  );
}

const COLUMNS: readonly Column<McpServer>[] = [
  {
    name: "Name",
    width: "minmax(6rem, 1fr)",
    cell: ({ name }) => (
      <Link to="/mcp-servers/$name" params={{ name }} {...ROW_LINK}>
        {name}
      </Link>
    ),
  },
  {
    name: "State",
    width: "7.5rem",
    cell: (server) => (
      <Badge tone={stateLook(server).tone} hasDot>
        {stateLook(server).name}
      </Badge>
    ),
  },
  { name: "Tools", width: "8rem", from: "sm", cell: (server) => <ToolCount server={server} /> },
  {
    name: "Transport",
    width: "9.5rem",
    from: "xl",
    cell: ({ transport }) => <span className="text-ink-2">{TRANSPORTS[transport]}</span>,
  },
  {
    name: "Where",
    width: "minmax(8rem, 1.5fr)",
    from: "lg",
    cell: ({ url, command = "" }) => (
      <span className="text-ink-2">
        <Words text={url ?? command} />
      </span>
    ),
  },
  {
    name: "How it goes",
    width: "minmax(8rem, 2fr)",
    from: "md",
    cell: (server) => (
      <span className={server.state === "failed" ? "text-bad" : "text-ink-2"}>
        <Words text={[sentence(server.stateReason ?? ""), nextStepOf(server)].filter(Boolean).join(" ")} />
      </span>
    ),
  },
];

/** How many tools it has, and how many of them wait for a person. */
function ToolCount({ server: { toolCount: all = 0, waitingToolCount: waiting = 0 } }: { server: McpServer }) {
  return (
    <span className="flex items-center gap-2 tabular-nums">
      {all.toLocaleString()}
      {waiting > 0 && <Badge tone="warn">{waiting.toLocaleString()} waiting</Badge>}
    </span>
  );
}
