import type { Tool } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { Bot, User } from "../../design/icons.tsx";
import { Badge } from "../../design/badge.tsx";
import { classes } from "../../design/classes.ts";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { executionsOf } from "../../run/execution-words.ts";
import { ToolActions } from "./tool-actions.tsx";
import { ToolMenu } from "./tool-menu.tsx";
import { CREATOR_LOOKS, STATUS_LOOKS, waits } from "./tool-words.ts";

interface Props {
  tool: Tool;
  isSelected: boolean;
  select: (isRange: boolean) => void;
}

/** One tool, as a card or as a line: what it is, how it stands, who made it, how much it is used. */
export const ToolCard = ({ isLine, ...props }: Props & { isLine: boolean }) =>
  isLine ? <Line {...props} /> : <Card {...props} />;

/** The card as a whole is the link: what is pressed beside it, as a button, lies above. */
const Name = ({ tool: { id, name, title } }: { tool: Tool }) => (
  <span className="min-w-0 flex-1">
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

const Mark = ({ tool, isSelected, select }: Props) => (
  <span className="relative z-1 flex size-5 shrink-0 items-center">
    <input
      type="checkbox"
      aria-label={`Select ${tool.name}`}
      className="size-4 cursor-pointer accent-accent"
      checked={isSelected}
      onChange={({ nativeEvent }) => select((nativeEvent as PointerEvent).shiftKey)}
    />
  </span>
);

const Status = ({ tool: { status, statusReason, pendingVersion } }: { tool: Tool }) => (
  <span className="flex" title={statusReason && wordsLine(statusReason)}>
    {pendingVersion === undefined || status === "pending_approval" ? (
      <Badge tone={STATUS_LOOKS[status].tone} hasDot>
        {STATUS_LOOKS[status].name}
      </Badge>
    ) : (
      <Badge tone="warn" hasDot>
        v{pendingVersion} waits
      </Badge>
    )}
  </span>
);

const Maker = ({ tool: { createdBy } }: { tool: Tool }) => (
  <Badge tone={CREATOR_LOOKS[createdBy].tone} icon={createdBy === "llm" ? Bot : User}>
    {CREATOR_LOOKS[createdBy].name}
  </Badge>
);

const Usage = ({ tool: { usageCount, lastUsedAt } }: { tool: Tool }) => (
  <span className="text-xs whitespace-nowrap text-ink-2 tabular-nums">
    {executionsOf(usageCount)}
    {lastUsedAt !== undefined && (
      <>
        {" · "}
        <When at={lastUsedAt} />
      </>
    )}
  </span>
);

function Card({ tool, isSelected, select }: Props) {
  return (
    <div
      role="listitem"
      className={classes(
        "relative isolate flex flex-col rounded-lg border bg-surface p-3.5 transition-colors",
        isSelected ? "border-accent" : "border-line hover:border-line-strong",
      )}
    >
      <div className="flex items-start gap-1.5">
        <Mark tool={tool} isSelected={isSelected} select={select} />
        <Name tool={tool} />
        <Status tool={tool} />
        <span className="-mt-1 -mr-2 -mb-1 flex">
          <ToolMenu tool={tool} />
        </span>
      </div>
      <p className="mt-1.5 line-clamp-2 text-sm text-ink-2" title={wordsLine(tool.description)}>
        <Words text={tool.description} />
      </p>
      <div className="mt-auto flex items-center gap-1.5 pt-2">
        <Maker tool={tool} />
        {!waits(tool) && <span className="text-xs text-ink-3">v{tool.version}</span>}
        {tool.category !== undefined && !waits(tool) && (
          <span className="min-w-0 truncate text-xs text-ink-3" title={wordsLine(tool.category)}>
            <Words text={tool.category} />
          </span>
        )}
        <span className={classes("ml-auto", waits(tool) ? "shrink-0" : "min-w-0 truncate")}>
          {waits(tool) ? <ToolActions tool={tool} /> : <Usage tool={tool} />}
        </span>
      </div>
    </div>
  );
}

function Line({ tool, isSelected, select }: Props) {
  return (
    <div
      role="listitem"
      className={classes(
        "relative isolate flex items-center gap-3 border-b border-line px-3.5 hover:bg-hover",
        isSelected && "ring-1 ring-accent ring-inset",
      )}
    >
      <Mark tool={tool} isSelected={isSelected} select={select} />
      <span className="flex min-w-0 flex-1 lg:w-56 lg:flex-none">
        <Name tool={tool} />
      </span>
      <p
        className="hidden min-w-0 flex-1 truncate text-sm text-ink-2 lg:block"
        title={wordsLine(tool.description)}
      >
        <Words text={tool.description} />
      </p>
      <span className="ml-auto flex shrink-0 items-center gap-3 lg:ml-0">
        <span className="hidden sm:flex">
          {waits(tool) ? <ToolActions tool={tool} /> : <Usage tool={tool} />}
        </span>
        <span className="hidden md:flex">
          <Maker tool={tool} />
        </span>
        <Status tool={tool} />
        <ToolMenu tool={tool} />
      </span>
    </div>
  );
}
