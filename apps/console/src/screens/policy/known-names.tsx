import { Link } from "@tanstack/react-router";
import { useBuiltInTools } from "../../data/tools.ts";
import { LINK } from "../../design/classes.ts";
import { CopyButton } from "../../design/copy-button.tsx";
import { groupsOf } from "../tools/built-in/built-in-search.ts";

/** The groups of the platform's tools, and the names in them, as the document takes them. */
export function KnownNames() {
  const { data: tools } = useBuiltInTools();
  if (tools === undefined) return null;
  return (
    <details className="mt-2 text-sm text-ink-2">
      <summary className="w-fit cursor-pointer rounded-sm">Names of built-in tools and their groups</summary>
      <p className="mt-1 text-xs">
        A built-in tool is put before an agent&apos;s model where the policy names it or its group.{" "}
        <Link to="/tools/built-in" className={LINK}>
          What each does
        </Link>
      </p>
      <ul className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface">
        {groupsOf(tools).map(([group, those]) => (
          <li key={group} className="flex items-center gap-2 px-3 py-1 font-mono text-xs">
            <span className="w-32 shrink-0 font-medium text-ink">group:{group}</span>
            <span className="min-w-0 flex-1 break-words">{those.map(({ name }) => name).join(", ")}</span>
            <CopyButton text={`"group:${group}"`} what={`group:${group}`} isSmall />
          </li>
        ))}
      </ul>
    </details>
  );
}
