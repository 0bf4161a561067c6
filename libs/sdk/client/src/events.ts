import type { Execution, ToolResult } from "./generated/types.ts";

interface At {
  executionId: string;
  attempt: number;
  at: string;
}

interface Told<Type extends string, Data> {
  event: Type;
  /** Rises strictly; a stream goes on from behind it. */
  id: string;
  data: At & Data;
}

export type EndStatus = "succeeded" | "failed" | "timed_out" | "cancelled" | "denied" | "lost";

/** The last event of an execution. It lacks the execution where that is too large for an event. */
export type EndEvent = {
  [Status in EndStatus]: Told<`execution.${Status}`, { execution?: Execution }>;
}[EndStatus];

/** What an execution tells while it goes on. */
export type ExecutionEvent =
  | Told<"execution.queued", unknown>
  | Told<"execution.awaiting_approval", { approvalId: string; expiresAt: string }>
  | Told<"execution.started", unknown>
  | Told<"execution.retrying", { error?: NonNullable<ToolResult["error"]>; delayMs?: number }>
  | Told<"execution.log", { level: "debug" | "info" | "warn" | "error"; text: string }>
  | Told<"execution.progress", { value: unknown }>
  /** Events between these two can't be told any more. */
  | { event: "execution.gap"; id?: never; data: { executionId: string; from: string; to: string } }
  | EndEvent;

const END = /^execution\.(succeeded|failed|timed_out|cancelled|denied|lost)$/;

/** Whether it is the event after which nothing comes. */
export const isEnd = (event: { event: string }): event is EndEvent => END.test(event.event);

/** Whether an execution with this status has ended. */
export const hasEnded = (status: string): status is EndStatus => END.test(`execution.${status}`);

/** Orders the ids of a stream's events; negative where `a` comes first. */
export function compareEventIds(a: string, b: string): number {
  const [outerA = 0, innerA = 0] = a.split("-").map(Number);
  const [outerB = 0, innerB = 0] = b.split("-").map(Number);
  return outerA - outerB || innerA - innerB;
}
