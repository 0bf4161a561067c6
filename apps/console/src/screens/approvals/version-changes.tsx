import type { ToolVersionDiff } from "@bulkhead/client";
import { harmlessJson } from "@bulkhead/core/harmless";
import { wordsOf } from "../../data/api.ts";
import { useChanges } from "../../data/asked-version.ts";
import { CodeText } from "../../design/code-text.tsx";
import { Part } from "../../design/part.tsx";
import { Skeleton } from "../../design/page-states.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { CodeDiff } from "../tool/versions/code-diff.tsx";

/** What this version does otherwise than the approved one before it. */
export function VersionChanges({ toolId, version }: { toolId: string; version: number }) {
  const { data, error, isPending } = useChanges(toolId, version);
  const { before = null, diff = null } = data ?? {};
  return (
    <Part title={before === null ? "Changes" : `Changes since version ${before.version}`}>
      {isPending && <Skeleton className="h-10 rounded-lg" />}
      {error !== null && (
        <p className="text-sm text-ink-2">
          They can't be told: <Words text={wordsOf(error)} />
        </p>
      )}
      {data !== undefined && before === null && (
        <p className="text-sm text-ink-2">It is the first version that was approved.</p>
      )}
      {before !== null && diff !== null && (
        <details className="rounded-lg border border-line bg-surface text-sm">
          <summary className="cursor-pointer px-3 py-2 hover:bg-hover">
            {summaryOf(diff)}; version {before.version} was made <When at={before.createdAt} />
          </summary>
          <Diff diff={diff} />
        </details>
      )}
    </Part>
  );
}

function summaryOf({ identical, changes, code }: ToolVersionDiff): string {
  if (identical) return "Both run alike";
  const parts = [
    code !== undefined && `${code.added} lines added, ${code.removed} removed`,
    changes.length > 0 && `${changes.length} ${changes.length === 1 ? "field" : "fields"} changed`,
  ];
  return parts.filter((part) => part !== false).join("; ");
}

const Diff = ({ diff: { changes, code } }: { diff: ToolVersionDiff }) => (
  <div className="border-t border-line">
    {changes.map(({ field, before, after }) => (
      <div key={field} className="border-b border-line px-3 py-1.5 last:border-b-0">
        <span className="font-mono text-xs text-ink-2">{field}</span>
        <pre className="font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          <span className="block bg-bad-soft">
            - <CodeText text={harmlessJson(before)} />
          </span>
          <span className="block bg-good-soft">
            + <CodeText text={harmlessJson(after)} />
          </span>
        </pre>
      </div>
    ))}
    {code !== undefined && (
      <div className="p-3">
        <CodeDiff unified={code.unified} label="What changed in the code" />
      </div>
    )}
  </div>
);
