import type { Tool, ToolVersionSummary } from "@bulkhead/client";
import { getRouteApi } from "@tanstack/react-router";
import { useVersion, useVersionDiff } from "../../../data/versions.ts";
import { CodeBlock } from "../../../design/code-block.tsx";
import { Select } from "../../../design/fields.tsx";
import { JsonTree } from "../../../design/json-tree.tsx";
import { Failed, Loading } from "../../../design/page-states.tsx";
import { Box, Part } from "../../../design/part.tsx";
import { Words } from "../../../design/words.tsx";
import { CodeDiff } from "./code-diff.tsx";
import { Evidence } from "./evidence.tsx";
import { VersionSteps } from "./version-steps.tsx";

const route = getRouteApi("/tools/$toolId");

interface Props {
  tool: Tool;
  version: ToolVersionSummary;
  /** All that are known, newest first. */
  versions: readonly ToolVersionSummary[];
}

/** One version: what can be done with it, what it may do, and what changed. */
export function VersionView({ tool, version, versions }: Props) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const others = versions.filter((one) => one.version !== version.version);
  const against = others.find((one) => one.version === search.against) ?? before(version, others);
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="text-lg font-semibold">Version {version.version}</h2>
        {against !== undefined && (
          <label className="flex items-center gap-2 text-sm text-ink-2">
            against
            <Select
              value={against.version}
              onChange={({ target }) =>
                void navigate({
                  search: (now) => ({ ...now, v: version.version, against: Number(target.value) }),
                  replace: true,
                })
              }
            >
              {others.map((one) => (
                <option key={one.version} value={one.version}>
                  version {one.version}
                  {one.serving ? " (serves)" : ""}
                </option>
              ))}
            </Select>
          </label>
        )}
        <VersionSteps tool={tool} version={version} />
      </div>
      {version.reason !== undefined && (
        <p className="rounded-md bg-bad-soft px-3 py-2 text-sm">
          Rejected: <Words text={version.reason} />
        </p>
      )}
      <Evidence toolId={tool.id} version={version} />
      {against === undefined ? (
        <FirstCode toolId={tool.id} version={version.version} />
      ) : (
        <Difference toolId={tool.id} version={version.version} against={against.version} />
      )}
    </div>
  );
}

/** What a version is held against unless somebody says: the one that serves, else the one before it. */
const before = (
  { version, serving }: ToolVersionSummary,
  others: readonly ToolVersionSummary[],
): ToolVersionSummary | undefined =>
  (serving ? undefined : others.find((one) => one.serving && one.version < version)) ??
  others.find((one) => one.version < version) ??
  others.at(-1);

function FirstCode({ toolId, version }: { toolId: string; version: number }) {
  const { data, error, isPending, refetch } = useVersion(toolId, version);
  if (isPending) return <Loading what="its code" />;
  if (data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <Part title={data.command === undefined ? "Code" : "Command"}>
      <CodeBlock text={data.command ?? data.code} label={`Code of version ${version}`} />
    </Part>
  );
}

function Difference({ toolId, version, against }: { toolId: string; version: number; against: number }) {
  const { data: diff, error, isPending, refetch } = useVersionDiff(toolId, version, against);
  if (isPending) return <Loading what="what changed" />;
  if (diff === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  const { identical, changes, code } = diff;
  if (identical) return <p className="text-sm text-ink-2">It runs exactly as version {against} does.</p>;
  return (
    <>
      {code !== undefined && (
        <Part
          title={`Code since version ${against}`}
          aside={
            <span className="text-xs tabular-nums">
              <span className="text-good">+{code.added.toLocaleString()}</span>{" "}
              <span className="text-bad">−{code.removed.toLocaleString()}</span>
            </span>
          }
        >
          {!code.exact && (
            <p className="mb-2 text-sm text-ink-2">
              They differ in so much that lines are not matched one by one.
            </p>
          )}
          <CodeDiff
            unified={code.unified}
            label={`What changed in the code from version ${against} to ${version}`}
          />
        </Part>
      )}
      {changes.map(({ field, before: was, after }) => (
        <Box key={field} title={<Words text={field} />}>
          <div className="grid gap-3 sm:grid-cols-2">
            <Value name="Before" value={was} />
            <Value name="After" value={after} />
          </div>
        </Box>
      ))}
    </>
  );
}

const Value = ({ name, value }: { name: string; value: unknown }) => (
  <div className="min-w-0">
    <p className="mb-1 text-xs text-ink-3">{name}</p>
    {value === undefined || value === null ? (
      <p className="text-sm text-ink-3">not set</p>
    ) : (
      <JsonTree value={value} />
    )}
  </div>
);
