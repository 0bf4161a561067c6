import type { ExecutionSummary } from "@bulkhead/client";
import type { Tone } from "../design/badge.tsx";

type Status = ExecutionSummary["status"];
type Source = ExecutionSummary["source"];

interface Look {
  name: string;
  tone: Tone;
  /** In charts. */
  fill: string;
  dot: string;
}

/** The names and colours of states, in the order in which charts pile them up. */
export const STATUS_LOOKS: Readonly<Record<Status, Look>> = {
  succeeded: { name: "Succeeded", tone: "good", fill: "fill-good", dot: "bg-good" },
  failed: { name: "Failed", tone: "bad", fill: "fill-bad", dot: "bg-bad" },
  timed_out: { name: "Timed out", tone: "bad", fill: "fill-warn", dot: "bg-warn" },
  lost: { name: "Lost", tone: "bad", fill: "fill-ink-2", dot: "bg-ink-2" },
  denied: { name: "Denied", tone: "bad", fill: "fill-ai", dot: "bg-ai" },
  cancelled: { name: "Cancelled", tone: "calm", fill: "fill-ink-3", dot: "bg-ink-3" },
  running: { name: "Running", tone: "info", fill: "fill-info", dot: "bg-info" },
  queued: { name: "Queued", tone: "calm", fill: "fill-line-strong", dot: "bg-line-strong" },
  awaiting_approval: { name: "Awaiting approval", tone: "warn", fill: "fill-accent", dot: "bg-accent" },
};

export const STATUSES = Object.keys(STATUS_LOOKS) as Status[];

export const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  rest: "API",
  batch: "Batch",
  schedule: "Schedule",
  mcp: "MCP",
  meta_tool: "Meta-tool",
  tool: "Another tool",
  replay: "Replay",
  dry_run: "Dry run",
};

export const SOURCES = Object.keys(SOURCE_NAMES) as Source[];

/** "1 execution", "12 executions". */
export const executionsOf = (count: number): string =>
  `${count.toLocaleString()} ${count === 1 ? "execution" : "executions"}`;
