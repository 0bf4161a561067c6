import type { Tool, ToolVersionSummary } from "@bulkhead/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useVersions } from "../../../data/versions.ts";
import { Badge, type Tone } from "../../../design/badge.tsx";
import { ShowMore } from "../../../design/next-page.tsx";
import { Failed, Loading } from "../../../design/page-states.tsx";
import { When } from "../../../design/when.tsx";
import { VersionView } from "./version-view.tsx";

const route = getRouteApi("/tools/$toolId");

const STATES: Readonly<Record<ToolVersionSummary["state"], { name: string; tone: Tone }>> = {
  approved: { name: "Approved", tone: "calm" },
  pending: { name: "Waits", tone: "warn" },
  rejected: { name: "Rejected", tone: "bad" },
  superseded: { name: "Superseded", tone: "calm" },
};

/** All versions of a tool, and one of them held against another. */
export function Versions({ tool }: { tool: Tool }) {
  const { v } = route.useSearch();
  const found = useVersions(tool.id);
  const { data, error, isPending, refetch } = found;
  if (isPending) return <Loading what="the versions" />;
  if (data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  const versions = data.pages.flatMap((page) => page.versions);
  const chosen = versions.find(({ version }) => version === v) ?? versions[0];
  return (
    <div className="grid gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <nav aria-label="Versions" className="min-w-0">
        <ol className="max-h-72 overflow-y-auto rounded-lg border border-line bg-surface p-1 lg:max-h-[75vh]">
          {versions.map((version) => (
            <Item key={version.version} version={version} isChosen={version === chosen} />
          ))}
        </ol>
        <ShowMore found={found} />
      </nav>
      {chosen !== undefined && (
        <VersionView key={chosen.version} tool={tool} version={chosen} versions={versions} />
      )}
    </div>
  );
}

function Item({
  version: { version, state, serving, createdAt },
  isChosen,
}: {
  version: ToolVersionSummary;
  isChosen: boolean;
}) {
  const { name, tone } = serving ? ({ name: "Serves", tone: "good" } as const) : STATES[state];
  return (
    <li>
      <Link
        to="."
        search={{ tab: "versions", v: version }}
        replace
        data-row
        aria-current={isChosen ? "true" : undefined}
        className="flex items-center gap-2 rounded-md px-2 py-1.5 text-sm hover:bg-hover aria-[current=true]:ring-1 aria-[current=true]:ring-accent aria-[current=true]:ring-inset"
      >
        <span className="font-medium tabular-nums">v{version}</span>
        <span className="min-w-0 flex-1 truncate text-xs text-ink-2">
          <When at={createdAt} />
        </span>
        <Badge tone={tone}>{name}</Badge>
      </Link>
    </li>
  );
}
