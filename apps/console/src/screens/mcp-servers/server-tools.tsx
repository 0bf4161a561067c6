import type { McpServer, McpServerTool } from "@bulkhead/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMcpTools } from "../../data/mcp-servers.ts";
import { Badge } from "../../design/badge.tsx";
import { Wrench } from "../../design/icons.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { Words } from "../../design/words.tsx";
import { inOrder, isWaiting, STANDINGS } from "./server-words.ts";
import { ToolDialog } from "./tool-dialog.tsx";

const route = getRouteApi("/mcp-servers/$name");

/** What the server offers, those first that wait for a person. */
export function ServerTools({ server }: { server: McpServer }) {
  const { tool: openName } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isPending, refetch } = useMcpTools(server.name);
  if (isPending) return <Loading what="the tools" />;
  if (data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data.length === 0)
    return (
      <Picture icon={Wrench} title="No tool is known yet">
        They come with the first connection. Test the server to connect.
      </Picture>
    );
  const waiting = data.filter(isWaiting).length;
  const open = data.find(({ tool }) => tool === openName);
  return (
    <>
      {waiting > 0 && (
        <p className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm">
          {waiting === 1 ? "One tool is" : `${waiting.toLocaleString()} tools are`} not as a person approved.
          Nobody calls {waiting === 1 ? "it" : "them"} until somebody has looked.
        </p>
      )}
      <Table
        label="Tools of the server"
        columns={COLUMNS}
        rows={inOrder(data)}
        keyOf={({ toolId }) => toolId}
        isSelected={({ tool }) => tool === openName}
      />
      {open !== undefined && (
        <ToolDialog
          key={open.toolId}
          server={server.name}
          tool={open}
          onClose={() => void navigate({ search: ({ tool: _open, ...before }) => before, replace: true })}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<McpServerTool>[] = [
  {
    name: "Tool",
    width: "minmax(7rem, 1fr)",
    cell: ({ tool }) => (
      <Link
        from="/mcp-servers/$name"
        to="."
        search={(before) => ({ ...before, tool })}
        replace
        resetScroll={false}
        {...ROW_LINK}
      >
        <span className="font-mono">
          <Words text={tool} />
        </span>
      </Link>
    ),
  },
  {
    name: "State",
    width: "8.5rem",
    cell: ({ standing }) => (
      <Badge tone={STANDINGS[standing].tone} hasDot>
        {STANDINGS[standing].name}
      </Badge>
    ),
  },
  {
    name: "Description",
    width: "minmax(10rem, 2fr)",
    from: "md",
    cell: ({ description }) => (
      <span className="text-ink-2">
        <Words text={description} />
      </span>
    ),
  },
  {
    name: "Asks a person",
    width: "8rem",
    from: "lg",
    cell: ({ requiresApproval }) => (requiresApproval ? "Always" : "As settings say"),
  },
];
