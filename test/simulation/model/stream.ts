import { compareEventIds, type ExecutionEvent } from "@bulkhead/core";
import type { History } from "../history.ts";

/** The logs of executions, by what the append step promises: an event whose id is not above the last one is dropped. */
export class StreamModel {
  protected readonly last = new Map<string, string>();
  readonly #history: Pick<History, "tell">;

  constructor(history: Pick<History, "tell">) {
    this.#history = history;
  }

  /** Whether the last event was taken. */
  append(events: ExecutionEvent[]): boolean {
    let taken = false;
    for (const { id, executionId, type } of events) {
      taken = this.mayAppend(executionId, id);
      if (!taken) continue;
      this.last.set(executionId, id);
      this.#history.tell({ kind: "appended", executionId, id, type });
    }
    return taken;
  }

  protected mayAppend(executionId: string, id: string): boolean {
    return compareEventIds(id, this.last.get(executionId) ?? "0-0") > 0;
  }
}
