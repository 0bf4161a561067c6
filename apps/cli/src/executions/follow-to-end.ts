import type { Bulkhead, Execution, ExecutionEvent } from "@bulkhead/client";

/** Tells each event of an execution, and gives how it ended; one whose end is too large for an event is read. */
export async function followToEnd(
  { executions }: Pick<Bulkhead, "executions">,
  id: string,
  tell: (event: ExecutionEvent) => void,
  options: { signal?: AbortSignal; retries?: number } = {},
): Promise<Execution> {
  for await (const event of executions.events(id, options)) {
    tell(event);
    if ("execution" in event.data && event.data.execution) return event.data.execution;
  }
  return executions.get(id, options);
}
