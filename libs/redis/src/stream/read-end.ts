import {
  endEventOf,
  type Execution,
  type ExecutionEvent,
  type ExecutionKey,
  type FindExecution,
  type TerminalEvent,
} from "@bulkhead/core";
import { setTimeout as delay } from "node:timers/promises";
import { saidBefore } from "./first-event.ts";

/** How soon the row is asked again for a terminal event's execution where it could not be read; milliseconds. */
const ROW_RETRY_MS = 1_000;

export interface ReadEndDeps {
  findExecution: FindExecution;
  /** The database is away. */
  onRowError: (error: unknown) => void;
}

export interface FoundEnd {
  event: TerminalEvent;
  /** All events of its first attempt before the end, if the row tells them; null if it does not. */
  before: ExecutionEvent[] | null;
  /** Whether the execution waited for a person before its first attempt. */
  waited: boolean;
}

/**
 * The end as the row shows it, without the execution itself, which may be large. "waiting" means that a person has to
 * decide. "missing": this tenant has no such execution; "unknown": the row can't be read at present.
 */
export async function findEnd(
  deps: ReadEndDeps,
  key: ExecutionKey,
): Promise<FoundEnd | "waiting" | "queued or running" | "missing" | "unknown"> {
  const row = await findRow(deps, key);
  if (row === "unknown") return "unknown";
  if (row === null) return "missing";
  const event = endEventOf(row);
  delete event?.execution;
  if (event) return { event, before: saidBefore(event, row.startedAt), waited: waitedFirst(row) };
  return row.status === "awaiting_approval" ? "waiting" : "queued or running";
}

/** Whether the execution waits, or waited, for a person before its first attempt. */
export async function hasWaited(deps: ReadEndDeps, key: ExecutionKey): Promise<boolean | "unknown"> {
  const row = await findRow(deps, key);
  return row === null || row === "unknown" ? "unknown" : waitedFirst(row);
}

/** Whom the tool's own code had asked, in an attempt, was asked about an execution that had been queued. */
const waitedFirst = ({ approval }: Execution): boolean => approval !== null && approval.asking === undefined;

/** The end with its execution, for which it waits; null when the row is gone, or nobody follows any more. */
export async function completeEnd(
  deps: ReadEndDeps,
  key: ExecutionKey,
  end: TerminalEvent,
  signal: AbortSignal,
): Promise<TerminalEvent | null> {
  while (!signal.aborted) {
    const row = await findRow(deps, key);
    if (row === null) return null;
    if (row !== "unknown" && endEventOf(row)) return { ...end, execution: row };
    await delay(ROW_RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

async function findRow(
  { findExecution, onRowError }: ReadEndDeps,
  key: ExecutionKey,
): Promise<Execution | null | "unknown"> {
  try {
    return await findExecution(key);
  } catch (error) {
    onRowError(error);
    return "unknown";
  }
}
