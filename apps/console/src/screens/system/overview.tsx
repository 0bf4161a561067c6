import type { System, Worker } from "@bulkhead/client";
import { Badge } from "../../design/badge.tsx";
import { ServerOff } from "../../design/icons.tsx";
import { Picture } from "../../design/page-states.tsx";
import { Facts, Part } from "../../design/part.tsx";
import { type Column, Table } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { slotsOf } from "./system-search.ts";

/** What runs, in which version, and which walls stand around tenants' code. */
export function Overview({ system }: { system: System }) {
  const { versions, shards, workers, sandboxLayers } = system;
  const { running, slots } = slotsOf(system);
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-6">
        <Part title={`Workers (${workers.length.toLocaleString()})`}>
          {workers.length === 0 ? (
            <Picture icon={ServerOff} title="No worker reports">
              Calls are accepted and wait. Start a worker, and they run.
            </Picture>
          ) : (
            <Table label="Workers" columns={WORKER_COLUMNS} rows={workers} keyOf={({ id }) => id} />
          )}
        </Part>
        {sandboxLayers.length > 0 && (
          <Part title="Layers around tenants' code">
            <Layers system={system} />
          </Part>
        )}
        <Part title="What tools may need">
          <Engines system={system} />
        </Part>
      </div>
      <Part title="Facts">
        <Facts
          facts={[
            ["Slots in use", `${running.toLocaleString()} of ${slots.toLocaleString()}`],
            ["Dispatcher shards", shards.toLocaleString()],
            ["Bulkhead", versions.bulkhead],
            ["Node of the API", versions.node],
            ["PostgreSQL", versions.postgres],
            ["Redis", versions.redis],
          ]}
        />
      </Part>
    </div>
  );
}

const WORKER_COLUMNS: readonly Column<Worker>[] = [
  {
    name: "Worker",
    width: "minmax(6rem, 2fr)",
    cell: ({ host, pid }) => (
      <span className="font-medium">
        <Words text={`${host} · ${pid}`} />
      </span>
    ),
  },
  { name: "Running", width: "6rem", isNumber: true, cell: ({ running, slots }) => `${running} of ${slots}` },
  {
    name: "Sandboxes",
    width: "6.5rem",
    isNumber: true,
    from: "sm",
    cell: ({ sandboxProcesses: { starting, blank, idle, running } }) => (
      <span title={`${starting} starting, ${blank} blank, ${idle} idle, ${running} running`}>
        {starting + blank + idle + running}
      </span>
    ),
  },
  {
    name: "Waiting",
    width: "5rem",
    isNumber: true,
    from: "md",
    cell: ({ sandboxWaiting }) => sandboxWaiting,
  },
  { name: "Since", width: "8rem", from: "xl", cell: ({ startedAt }) => <When at={startedAt} /> },
];

/** Each layer, and of those that are not in force everywhere, why. */
const Layers = ({ system: { workers, sandboxLayers } }: { system: System }) => (
  <ul className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
    {sandboxLayers.map(({ layer, inForce, workers: many }) => {
      const said = new Set(
        workers.flatMap(({ sandboxLayers: own }) =>
          own.filter((one) => one.layer === layer).map(({ detail }) => detail),
        ),
      );
      return (
        <li key={layer} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2">
          <span className="min-w-40 font-medium">{layer}</span>
          <Badge tone={inForce ? "good" : many > 0 ? "warn" : "bad"} hasDot>
            {inForce ? "In force" : many > 0 ? `In ${many} of ${workers.length} workers` : "Not in force"}
          </Badge>
          <span className="min-w-0 flex-1 basis-60 text-ink-2">
            <Words text={[...said].join(" ")} />
          </span>
        </li>
      );
    })}
  </ul>
);

/** Each engine: whether it is there, in which version, and else why not. */
const Engines = ({ system: { workers, engines } }: { system: System }) => (
  <ul className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
    {engines.map(({ engine, title, available, detail, workers: many }) => (
      <li
        key={engine}
        className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2 md:grid md:grid-cols-[14rem_9rem_minmax(0,1fr)]"
      >
        <span className="min-w-0 font-medium">
          <Words text={title} />
        </span>
        <span>
          <Badge tone={!available ? "calm" : many !== null && many < workers.length ? "warn" : "good"} hasDot>
            {!available
              ? "Not there"
              : many === null || many === workers.length
                ? "There"
                : `In ${many} of ${workers.length} workers`}
          </Badge>
        </span>
        <span className="min-w-0 flex-1 basis-60 text-ink-2">
          <Words text={detail} />
        </span>
      </li>
    ))}
  </ul>
);
