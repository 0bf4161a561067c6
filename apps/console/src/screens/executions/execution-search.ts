import type { ExecutionSummary } from "@bulkhead/client";
import type { Asked } from "../../data/executions.ts";
import { chosen, countIn, momentIn, oneOf, wordsIn } from "../../format/address.ts";
import { type Code, CODES } from "../../run/error-words.ts";
import { SOURCES, STATUSES } from "../../run/execution-words.ts";

/** What of the screen stands in its address: all that a link should bring back. */
export interface ExecutionSearch {
  /** One or more, with commas between. */
  status?: string;
  tool?: string;
  version?: number;
  agent?: string;
  key?: string;
  source?: ExecutionSummary["source"];
  code?: Code;
  conversation?: string;
  parent?: string;
  schedule?: string;
  /** Left out, without `from` and `to`: the last day. */
  period?: Exclude<PeriodName, "day">;
  from?: string;
  to?: string;
  min?: number;
  max?: number;
  logs?: string;
  /** The table behind the chart is shown. */
  chart?: "table";
}

export type Changes = { [Name in keyof ExecutionSearch]?: ExecutionSearch[Name] | undefined };

export const PERIODS = {
  hour: { name: "Last hour", ms: 3_600_000 },
  day: { name: "Last 24 hours", ms: 86_400_000 },
  week: { name: "Last 7 days", ms: 7 * 86_400_000 },
  month: { name: "Last 30 days", ms: 30 * 86_400_000 },
  any: { name: "Any time", ms: null },
} as const;

export type PeriodName = keyof typeof PERIODS;

const PERIOD_NAMES = ["hour", "week", "month", "any"] as const;
/** As the API bounds them. */
const NAME_CHARS_MAX = 64;
const CONVERSATION_CHARS_MAX = 256;
export const LOGS_CHARS_MAX = 200;
const VERSION_MAX = 2 ** 31 - 1;
const MS_MAX = 100_000_000_000;

/** What an address says, as far as it is any of the screen's; the rest is left out. */
export function readExecutionSearch(raw: Record<string, unknown>): ExecutionSearch {
  const named = wordsIn(raw["status"], 200)?.split(",") ?? [];
  const from = momentIn(raw["from"]);
  const to = momentIn(raw["to"]);
  const isPeriod = from === undefined && to === undefined;
  const read = chosen<ExecutionSearch>({
    status: STATUSES.filter((status) => named.includes(status)).join(",") || undefined,
    tool: wordsIn(raw["tool"], NAME_CHARS_MAX),
    version: countIn(raw["version"], VERSION_MAX),
    agent: wordsIn(raw["agent"], NAME_CHARS_MAX),
    key: wordsIn(raw["key"], NAME_CHARS_MAX),
    source: oneOf(SOURCES, raw["source"]),
    code: oneOf(CODES, raw["code"]),
    conversation: wordsIn(raw["conversation"], CONVERSATION_CHARS_MAX),
    parent: wordsIn(raw["parent"], NAME_CHARS_MAX),
    schedule: wordsIn(raw["schedule"], NAME_CHARS_MAX),
    period: isPeriod ? oneOf(PERIOD_NAMES, raw["period"]) : undefined,
    from,
    to,
    min: countIn(raw["min"], MS_MAX),
    max: countIn(raw["max"], MS_MAX),
    logs: wordsIn(raw["logs"], LOGS_CHARS_MAX),
    chart: oneOf(["table"], raw["chart"]),
  });
  return inOrder(read);
}

/** An end before its beginning is no end: the API would refuse both. */
function inOrder(search: ExecutionSearch): ExecutionSearch {
  const { from, to, min, max, ...others } = search;
  const isTurned = from !== undefined && to !== undefined && to < from;
  const isSwapped = min !== undefined && max !== undefined && max < min;
  return chosen<ExecutionSearch>({
    ...others,
    from,
    to: isTurned ? undefined : to,
    min,
    max: isSwapped ? undefined : max,
  });
}

export const statusesOf = ({ status }: ExecutionSearch): ExecutionSummary["status"][] =>
  STATUSES.filter((one) => status?.split(",").includes(one));

/** The search as the API is asked. */
export function askedOf(search: ExecutionSearch): Asked {
  const { tool, version, agent, key, source, code, conversation, parent, schedule } = search;
  const { from, to, min, max, logs } = search;
  const statuses = statusesOf(search);
  const filters = chosen<Asked["filters"]>({
    status: statuses.length > 0 ? statuses : undefined,
    tool,
    toolVersion: version,
    agentId: agent,
    keyId: key,
    source,
    code,
    conversationId: conversation,
    parentId: parent,
    scheduleId: schedule,
    from,
    to,
    minMs: min,
    maxMs: max,
    logs,
  });
  const ms = PERIODS[search.period ?? "day"].ms;
  const isPeriod = from === undefined && to === undefined && ms !== null;
  return { filters, ...(isPeriod && { lastMs: ms }) };
}

/** What the search is narrowed by beside its period; a new one shows here, too. */
export const CHIPS: readonly (keyof ExecutionSearch)[] = [
  "status",
  "tool",
  "version",
  "agent",
  "key",
  "source",
  "code",
  "conversation",
  "parent",
  "schedule",
  "min",
  "max",
  "logs",
];
