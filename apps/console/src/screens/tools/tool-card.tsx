import type { Tool } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { Bot, User } from "../../design/icons.tsx";
import { Badge } from "../../design/badge.tsx";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { ToolActions } from "./tool-actions.tsx";
import { CREATOR_LOOKS, STATUS_LOOKS } from "./tool-words.ts";

/** One tool, as a card or as a line: what it is, how it stands, who made it, how much it is used. */
export const ToolCard = ({ tool, isLine }: { tool: Tool; isLine: boolean }) =>
  isLine ? <Line tool={tool} /> : <Card tool={tool} />;

/** The card as a whole is the link: what is pressed beside it, as a button, lies above. */
const Name = ({ tool: { id, name, title } }: { tool: Tool }) => (
  <span className="min-w-0">
    <Link
      to="/tools/$toolId"
      params={{ toolId: id }}
      title={name}
      data-row
      className="block truncate font-mono text-sm font-semibold after:absolute after:inset-0 after:rounded-lg"
    >
      {name}
    </Link>
    {title !== undefined && (
      <span className="block truncate text-xs text-ink-2">
        <Words text={title} />
      </span>
    )}
  </span>
);

const Status = ({ tool: { status, statusReason } }: { tool: Tool }) => (
  <span title={statusReason && wordsLine(statusReason)}>
    <Badge tone={STATUS_LOOKS[status].tone} hasDot>
      {STATUS_LOOKS[status].name}
    </Badge>
  </span>
);

const Maker = ({ tool: { createdBy } }: { tool: Tool }) => (
  <Badge tone={CREATOR_LOOKS[createdBy].tone} icon={createdBy === "llm" ? Bot : User}>
    {CREATOR_LOOKS[createdBy].name}
  </Badge>
);

const Usage = ({ tool: { usageCount, lastUsedAt } }: { tool: Tool }) => (
  <span className="text-xs whitespace-nowrap text-ink-2 tabular-nums">
    {usageCount.toLocaleString()} {usageCount === 1 ? "call" : "calls"}
    {lastUsedAt !== undefined && (
      <>
        {" · "}
        <When at={lastUsedAt} />
      </>
    )}
  </span>
);

function Card({ tool }: { tool: Tool }) {
  return (
    <div
      role="listitem"
      className="relative flex flex-col rounded-lg border border-line bg-surface p-3.5 transition-colors hover:border-line-strong"
    >
      <div className="flex items-start justify-between gap-2">
        <Name tool={tool} />
        <Status tool={tool} />
      </div>
      <p className="mt-1.5 line-clamp-2 text-sm text-ink-2" title={wordsLine(tool.description)}>
        <Words text={tool.description} />
      </p>
      <div className="mt-auto flex items-center gap-2 pt-2">
        <Maker tool={tool} />
        <span className="text-xs text-ink-3">v{tool.version}</span>
        {tool.category !== undefined && (
          <span className="truncate text-xs text-ink-3">
            <Words text={tool.category} />
          </span>
        )}
        <span className="ml-auto">
          {tool.status === "pending_approval" ? <ToolActions tool={tool} /> : <Usage tool={tool} />}
        </span>
      </div>
    </div>
  );
}

function Line({ tool }: { tool: Tool }) {
  return (
    <div
      role="listitem"
      className="relative flex items-center gap-4 border-b border-line px-3.5 hover:bg-hover"
    >
      <span className="w-56 shrink-0">
        <Name tool={tool} />
      </span>
      <p
        className="hidden min-w-0 flex-1 truncate text-sm text-ink-2 lg:block"
        title={wordsLine(tool.description)}
      >
        <Words text={tool.description} />
      </p>
      <span className="ml-auto flex items-center gap-3 lg:ml-0">
        {tool.status === "pending_approval" && <ToolActions tool={tool} />}
        <span className="hidden sm:block">
          <Usage tool={tool} />
        </span>
        <span className="hidden md:block">
          <Maker tool={tool} />
        </span>
        <Status tool={tool} />
      </span>
    </div>
  );
}
