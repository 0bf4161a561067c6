import type { RunNews } from "@bulkhead/core";
import { encodeRuns } from "./run-message.ts";
import * as names from "./tenant-events-names.ts";

/** Collects the news of executions for a moment, a bounded number of each tenant's and of all, and counts what is dropped. */
export class RunOutbox {
  readonly #send: (tenantId: string, text: string) => void;
  readonly #onDropped: (count: number) => void;
  readonly #boxes = new Map<string, { news: string[]; dropped: number }>();
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (tenantId: string, text: string) => void, onDropped: (count: number) => void) {
    this.#send = send;
    this.#onDropped = onDropped;
  }

  put(tenantId: string, make: () => RunNews): void {
    let box = this.#boxes.get(tenantId);
    if (box === undefined) this.#boxes.set(tenantId, (box = { news: [], dropped: 0 }));
    this.#timer ??= setTimeout(() => this.flush(), names.RUNS_FLUSH_MS);
    const hasRoom =
      box.news.length < names.RUNS_WAITING_OF_TENANT_MAX && this.#waiting < names.RUNS_WAITING_MAX;
    const json = hasRoom ? JSON.stringify(make()) : "";
    if (json === "" || json.length > names.RUN_CHARS_MAX) {
      box.dropped += 1;
      this.#onDropped(1);
      return;
    }
    box.news.push(json);
    this.#waiting += 1;
  }

  /** Sends what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const boxes = [...this.#boxes];
    this.#boxes.clear();
    this.#waiting = 0;
    for (const [tenantId, { news, dropped }] of boxes) this.#send(tenantId, encodeRuns(news, dropped));
  }
}
