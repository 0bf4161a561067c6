import { useSystemLoad, useTenants } from "../../data/system.ts";
import { Badge } from "../../design/badge.tsx";
import { Building } from "../../design/icons.tsx";
import { PagedTable } from "../../design/next-page.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import type { Column } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { count, duration, percent } from "../../format/numbers.ts";
import { byLoad, type LoadedTenant } from "./system-search.ts";

/** The platform's tenants, the busiest first: what waits and runs, the share they get, and what bounds them. */
export function Tenants() {
  const listed = useTenants();
  const loads = useSystemLoad();
  if (listed.isPending || loads.isPending) return <Loading what="the tenants" />;
  if (listed.data === undefined) return <Failed error={listed.error} onRetry={() => void listed.refetch()} />;
  if (loads.data === undefined) return <Failed error={loads.error} onRetry={() => void loads.refetch()} />;
  const rows = byLoad(
    listed.data.pages.flatMap(({ tenants }) => tenants),
    loads.data.tenants,
  );
  if (rows.length === 0)
    return (
      <Picture icon={Building} title="There are no tenants">
        POST /api/v1/tenants makes one; then make it a key.
      </Picture>
    );
  return (
    <PagedTable
      found={listed}
      label="Tenants"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ tenant }) => tenant.id}
    />
  );
}

const COLUMNS: readonly Column<LoadedTenant>[] = [
  {
    name: "Tenant",
    width: "minmax(5rem, 2fr)",
    cell: ({ tenant: { name, slug, status } }) => (
      <span className="flex items-center gap-2">
        <span className="truncate font-medium" title={slug}>
          <Words text={name} />
        </span>
        {status === "deleting" && <Badge tone="bad">Being deleted</Badge>}
      </span>
    ),
  },
  { name: "Waiting", width: "4rem", isNumber: true, cell: ({ load }) => count(load?.queued ?? 0) },
  {
    name: "Running",
    width: "5rem",
    isNumber: true,
    cell: ({ tenant, load }) =>
      `${count(load?.running ?? 0)} of ${count(tenant.limits.maxConcurrentExecutions)}`,
  },
  {
    name: "Share",
    width: "5rem",
    isNumber: true,
    from: "md",
    cell: ({ load }) => (load === undefined ? "" : percent(load.share)),
  },
  { name: "Weight", width: "4.5rem", isNumber: true, from: "lg", cell: ({ tenant }) => tenant.limits.weight },
  {
    name: "Wait",
    width: "6rem",
    isNumber: true,
    from: "md",
    cell: ({ load }) => {
      const wait = load?.predictedWaitMs ?? null;
      return wait === null ? "" : duration(wait);
    },
  },
  {
    name: "Rate",
    width: "9rem",
    from: "lg",
    cell: ({ tenant, load }) =>
      load?.throttledUntil ? (
        <span className="text-warn">
          throttled, <When at={load.throttledUntil} />
        </span>
      ) : (
        `${count(tenant.limits.executionsPerSecond)} per second`
      ),
  },
  { name: "Created", width: "8rem", from: "xl", cell: ({ tenant }) => <When at={tenant.createdAt} /> },
];
