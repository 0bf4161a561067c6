import type { ApiKey, Tool } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { useAgentKeys, useOwnTools } from "../../data/agents.ts";
import { Badge } from "../../design/badge.tsx";
import { LINK } from "../../design/classes.ts";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Part } from "../../design/part.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { count } from "../../format/numbers.ts";
import { STATUS_LOOKS } from "../tools/tool-words.ts";

/** What is the agent's own: the keys that it comes by, and the tools that nobody else sees. */
export const KeysAndTools = ({ agentId }: { agentId: string | undefined }) => (
  <div className="flex flex-col gap-8">
    <Keys agentId={agentId} />
    {agentId === undefined ? (
      <Part title="Tools of its own">
        <p className="text-sm text-ink-2">
          Agents without an id share the tenant's tools, and have none of their own.
        </p>
      </Part>
    ) : (
      <Tools agentId={agentId} />
    )}
  </div>
);

function Keys({ agentId }: { agentId: string | undefined }) {
  const { keys, isHidden, isPending, error, refetch } = useAgentKeys();
  const own = keys.filter((key) => key.agentId === agentId);
  const link = !isHidden && (
    <Link to="/keys" className={`text-sm ${LINK}`}>
      All keys
    </Link>
  );
  return (
    <Part title="Keys" aside={link}>
      {isHidden ? (
        <p className="text-sm text-ink-2">Keys are shown to owners of the tenant alone.</p>
      ) : isPending ? (
        <Loading what="the keys" />
      ) : error !== null ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : own.length === 0 ? (
        <p className="text-sm text-ink-2">No key names it: it comes by what calls say of themselves.</p>
      ) : (
        <Table label="Keys of the agent" columns={KEY_COLUMNS} rows={own} keyOf={({ id }) => id} />
      )}
    </Part>
  );
}

const KEY_COLUMNS: readonly Column<ApiKey>[] = [
  { name: "Name", width: "minmax(8rem, 2fr)", cell: ({ name }) => <Words text={name} /> },
  {
    name: "Last used",
    width: "8.5rem",
    cell: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? <span className="text-ink-3">never</span> : <When at={lastUsedAt} />,
  },
  { name: "Created", width: "8.5rem", from: "md", cell: ({ createdAt }) => <When at={createdAt} /> },
];

function Tools({ agentId }: { agentId: string }) {
  const { data, error, isPending, refetch } = useOwnTools(agentId);
  return (
    <Part title={data === undefined ? "Tools of its own" : `Tools of its own (${count(data.count)})`}>
      {isPending ? (
        <Loading what="the tools" />
      ) : data === undefined ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : data.tools.length === 0 ? (
        <p className="text-sm text-ink-2">It has none: it gets the tenant's, as the policy says.</p>
      ) : (
        <>
          <Table label="Tools of the agent" columns={TOOL_COLUMNS} rows={data.tools} keyOf={({ id }) => id} />
          {data.tools.length < data.count && (
            <p className="mt-2 text-sm text-ink-3">The latest {count(data.tools.length)} are shown.</p>
          )}
        </>
      )}
    </Part>
  );
}

const TOOL_COLUMNS: readonly Column<Tool>[] = [
  {
    name: "Name",
    width: "minmax(8rem, 1fr)",
    cell: ({ id, name }) => (
      <Link to="/tools/$toolId" params={{ toolId: id }} {...ROW_LINK}>
        <span className="font-mono">
          <Words text={name} />
        </span>
      </Link>
    ),
  },
  {
    name: "Description",
    width: "minmax(8rem, 2fr)",
    from: "md",
    cell: ({ description }) => <Words text={description} />,
  },
  {
    name: "Status",
    width: "9rem",
    cell: ({ status }) => (
      <Badge tone={STATUS_LOOKS[status].tone} hasDot>
        {STATUS_LOOKS[status].name}
      </Badge>
    ),
  },
];
