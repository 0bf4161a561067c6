import { Link } from "@tanstack/react-router";
import type { ApiKey } from "@bulkhead/client";
import { useAgentIds, useAgentKeys } from "../../data/agents.ts";
import { usePolicy } from "../../data/policy.ts";
import { Bot } from "../../design/icons.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { OpenAgent } from "./open-agent.tsx";
import { LINK } from "../../design/classes.ts";

interface Row {
  /** Null: the keys of agents that have no id. */
  id: string | null;
  keys: readonly ApiKey[];
  isInPolicy: boolean;
}

/** The agents that keys or the policy know, and what each of them gets. */
export function Agents() {
  const { keys, isHidden, isPending, error, refetch } = useAgentKeys();
  const policy = usePolicy();
  const ids = useAgentIds();
  if ((isPending && !isHidden) || policy.isPending) return <Loading what="the agents" />;
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (policy.data === undefined) return <Failed error={policy.error} onRetry={() => void policy.refetch()} />;
  const named = policy.data.document.agents ?? {};
  const nameless = keys.filter(({ agentId }) => agentId === undefined);
  const rows: Row[] = ids.map((id) => ({
    id,
    keys: keys.filter(({ agentId }) => agentId === id),
    isInPolicy: Object.hasOwn(named, id),
  }));
  if (nameless.length > 0) rows.push({ id: null, keys: nameless, isInPolicy: false });
  return (
    <>
      <PageHead title="Agents" actions={<OpenAgent known={ids} />}>
        <p className="-mt-2 mb-4 max-w-3xl text-ink-2">
          Agents that keys or the{" "}
          <Link to="/policy" className={LINK}>
            policy
          </Link>{" "}
          name. Open one to see the tools as its model does.
          {isHidden && " Keys are shown to owners alone, so there may be more."}
        </p>
      </PageHead>
      {rows.length === 0 ? (
        <Picture icon={Bot} title="No agent is known yet">
          <Link to="/keys" className={LINK}>
            Create a key
          </Link>{" "}
          with the role agent, or open an agent by its id.
        </Picture>
      ) : (
        <div className="p-4 md:px-6">
          <Table
            label="Agents"
            columns={isHidden ? HIDDEN : COLUMNS}
            rows={rows}
            keyOf={({ id }) => id ?? ""}
          />
        </div>
      )}
    </>
  );
}

const lastUse = (keys: readonly ApiKey[]): string | undefined =>
  keys
    .flatMap(({ lastUsedAt }) => (lastUsedAt === undefined ? [] : [lastUsedAt]))
    .toSorted()
    .at(-1);

const NAME: Column<Row> = {
  name: "Agent",
  width: "minmax(8rem, 2fr)",
  cell: ({ id }) => (
    <Link to="/agents/one" search={id === null ? {} : { agent: id }} {...ROW_LINK}>
      {id === null ? "Agents without an id" : <Words text={id} />}
    </Link>
  ),
};
const POLICY: Column<Row> = {
  name: "Policy",
  width: "minmax(8rem, 1fr)",
  cell: ({ isInPolicy }) =>
    isInPolicy ? "Lists of its own" : <span className="text-ink-3">As all agents</span>,
};
const HIDDEN: readonly Column<Row>[] = [NAME, POLICY];
const COLUMNS: readonly Column<Row>[] = [
  NAME,
  { name: "Keys", width: "3.5rem", isNumber: true, from: "sm", cell: ({ keys }) => keys.length },
  POLICY,
  {
    name: "Last seen",
    width: "8.5rem",
    from: "sm",
    cell: ({ keys }) => {
      const at = lastUse(keys);
      return at === undefined ? <span className="text-ink-3">never</span> : <When at={at} />;
    },
  },
];
