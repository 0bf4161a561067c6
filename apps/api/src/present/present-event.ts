import { isEndEvent, type ExecutionEvent, type StreamGap } from "@bulkhead/domain";
import { presentExecution } from "./present-execution.ts";

/** The `data` of one server-sent event; its type and id travel beside it. */
export function presentEvent(event: ExecutionEvent | StreamGap, executionId: string) {
  if (event.type === "execution.gap") return { executionId, from: event.from, to: event.to };
  const { type: _type, id: _id, ...data } = event;
  if (!isEndEvent(event) || !event.execution) return data;
  return { ...data, execution: presentExecution(event.execution) };
}
