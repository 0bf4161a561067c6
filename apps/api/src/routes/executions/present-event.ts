import { isEndEvent, type ExecutionEvent, type StreamGap } from "@bulkhead/core";
import type { Frame } from "../../edge/event-stream-reply.ts";
import { presentExecution } from "./present-execution.ts";

/** An event of an execution as a server-sent one. A gap has no id: who is cut off behind it is told of it again. */
export function frameOf(event: ExecutionEvent | StreamGap, executionId: string): Frame {
  const id = event.type === "execution.gap" ? {} : { id: event.id, at: event.at };
  return { ...id, event: event.type, data: presentEvent(event, executionId) };
}

function presentEvent(event: ExecutionEvent | StreamGap, executionId: string) {
  if (event.type === "execution.gap") return { executionId, from: event.from, to: event.to };
  const { type: _type, id: _id, ...data } = event;
  if (!isEndEvent(event) || !event.execution) return data;
  return { ...data, execution: presentExecution(event.execution) };
}
