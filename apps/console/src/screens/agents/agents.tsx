import { Link } from "@tanstack/react-router";
import type { ListAgentsAnswer } from "@bulkhead/client";
import { useAgents } from "../../data/agents.ts";
import { Bot } from "../../design/icons.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { OpenAgent } from "./open-agent.tsx";
import { LINK } from "../../design/classes.ts";
import { count } from "../../format/numbers.ts";

type Row = ListAgentsAnswer["agents"][number];

/** The agents that keys, the policy or tools of their own name, and what each of them has. */
export function Agents() {
  const { data: rows, isPending, error, refetch } = useAgents();
  if (isPending) return <Loading what="the agents" />;
  if (rows === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHead title="Agents" actions={<OpenAgent known={rows.flatMap(({ id }) => id ?? [])} />}>
        <p className="-mt-2 mb-4 max-w-3xl text-ink-2">
          Agents that keys, tools of their own or the{" "}
          <Link to="/policy" className={LINK}>
            policy
          </Link>{" "}
          name. Open one to see the tools as its model does.
        </p>
      </PageHead>
      {rows.length === 0 ? (
        <Picture icon={Bot} title="No agent is known yet">
          <Link to="/keys" search={{ create: true }} className={LINK}>
            Create a key
          </Link>{" "}
          with the role agent, or open an agent by its id.
        </Picture>
      ) : (
        <div className="p-4 md:px-6">
          <Table label="Agents" columns={COLUMNS} rows={rows} keyOf={({ id }) => id ?? ""} />
        </div>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    name: "Agent",
    width: "minmax(8rem, 2fr)",
    cell: ({ id }) => (
      <Link to="/agents/one" search={id === undefined ? {} : { agent: id }} {...ROW_LINK}>
        {id === undefined ? "Agents without an id" : <Words text={id} />}
      </Link>
    ),
  },
  { name: "Keys", width: "3.5rem", isNumber: true, from: "sm", cell: ({ keys }) => count(keys) },
  { name: "Own tools", width: "5.5rem", isNumber: true, from: "md", cell: ({ tools }) => count(tools) },
  {
    name: "Policy",
    width: "minmax(8rem, 1fr)",
    cell: ({ inPolicy }) =>
      inPolicy ? "Lists of its own" : <span className="text-ink-3">As all agents</span>,
  },
  {
    name: "Last seen",
    width: "8.5rem",
    from: "sm",
    cell: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? <span className="text-ink-3">never</span> : <When at={lastUsedAt} />,
  },
];
