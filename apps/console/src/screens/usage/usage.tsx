import { getRouteApi } from "@tanstack/react-router";
import { useUsage } from "../../data/usage.ts";
import { Select } from "../../design/fields.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Facts, Part } from "../../design/part.tsx";
import { bytes, count, duration } from "../../format/numbers.ts";
import { Histogram } from "./day-histogram.tsx";
import { LoadFacts } from "./load-facts.tsx";
import { ToolCosts } from "./tool-costs.tsx";
import { PERIODS, periodOf, type UsageSearch } from "./usage-search.ts";

const route = getRouteApi("/usage");

/** What the tenant uses, of what, and the part of the platform that it gets beside others. */
export function Usage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: UsageSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const { data: usage, error, isPending, refetch } = useUsage(periodOf(search));
  return (
    <>
      <PageHead
        title="Usage"
        actions={
          <Select
            aria-label="Period"
            value={search.period ?? "week"}
            onChange={({ target }) =>
              change({
                period: target.value === "day" || target.value === "month" ? target.value : undefined,
              })
            }
          >
            {Object.entries(PERIODS).map(([name, { words }]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </Select>
        }
      />
      <div className="grid gap-6 p-4 md:p-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          {isPending ? (
            <Loading what="the usage" />
          ) : usage === undefined ? (
            <Failed error={error} onRetry={() => void refetch()} />
          ) : (
            <>
              <Part title="Executions by day of UTC">
                <Histogram bars={usage.bars} isTable={search.chart === "table"} change={change} />
              </Part>
              <Part title="Cost by tool">
                <ToolCosts rows={usage.tools} total={usage.total} />
              </Part>
            </>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Part title="Now">
            <LoadFacts />
          </Part>
          {usage !== undefined && (
            <Part title="In all">
              <Facts
                facts={[
                  ["Executions", count(usage.total.executions)],
                  ["Tries", count(usage.total.attempts)],
                  ["Slots taken for", duration(usage.total.workerMs)],
                  ["Processor time", duration(usage.total.cpuMs)],
                  ["Running time", duration(usage.total.wallMs)],
                  ["Memory at most", `${count(usage.total.memoryPeakMib)} MiB`],
                  ["Requests", count(usage.total.networkRequests)],
                  ["Bytes in", bytes(usage.total.bytesIn)],
                  ["Bytes out", bytes(usage.total.bytesOut)],
                ]}
              />
            </Part>
          )}
        </div>
      </div>
    </>
  );
}
