import type { Bulkhead } from "./bulkhead.ts";
import { BulkheadError } from "./errors.ts";
import { isEnd, type EndEvent, type ExecutionEvent } from "./events.ts";
import type { Execution } from "./generated/types.ts";

/** Log lines, and emitted values, that are kept: the latest. */
const KEPT_MAX = 1_000;

export interface WatchedExecution {
  /** `connecting` until the first event is there, and where there is no id yet. */
  status: "connecting" | Execution["status"];
  logs: readonly { id: string; at: string; level: "debug" | "info" | "warn" | "error"; text: string }[];
  /** What the tool emitted. */
  progress: readonly { id: string; at: string; value: unknown }[];
  /** The one that it waits for, while it waits for a person. */
  approvalId: string | null;
  /** All of it, once it has ended. */
  execution: Execution | null;
  result: unknown;
  /** Why it can't be followed, or has failed. */
  error: Pick<BulkheadError, "code" | "message"> | null;
}

const NOTHING: WatchedExecution = {
  status: "connecting",
  logs: [],
  progress: [],
  approvalId: null,
  execution: null,
  result: undefined,
  error: null,
};

/** What is known of one execution by its events; tells its readers of each change. */
export class ExecutionStore {
  #state = NOTHING;
  readonly #readers = new Set<() => void>();
  /** The token with which connections are opened from now on. */
  token: string | null = null;
  /** By which they are opened; the global one unless set. */
  fetch: typeof fetch | undefined = undefined;

  readonly read = (): WatchedExecution => this.#state;

  readonly subscribe = (reader: () => void): (() => void) => {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  };

  /** Follows until the end, the signal, or what can't be followed; never rejects. */
  async watch(client: Pick<Bulkhead, "executions">, id: string, signal: AbortSignal): Promise<void> {
    this.#set(NOTHING);
    try {
      for await (const event of client.executions.events(id, { signal })) {
        this.#set(after(this.#state, event));
        if (isEnd(event) && !event.data.execution)
          this.#set(withEnd(this.#state, await client.executions.get(id, { signal })));
      }
    } catch (error) {
      if (signal.aborted) return;
      const { code, message } =
        error instanceof BulkheadError ? error : { code: "client.unreachable", message: String(error) };
      this.#set({ ...this.#state, error: { code, message } });
    }
  }

  #set(state: WatchedExecution): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const reader of this.#readers) reader();
  }
}

function after(state: WatchedExecution, told: ExecutionEvent): WatchedExecution {
  if (isEnd(told)) return ended(state, told);
  switch (told.event) {
    case "execution.queued":
    case "execution.retrying":
      return { ...state, status: "queued", approvalId: null };
    case "execution.awaiting_approval":
      return { ...state, status: "awaiting_approval", approvalId: told.data.approvalId };
    case "execution.started":
      return { ...state, status: "running" };
    case "execution.log": {
      const { at, level, text } = told.data;
      return { ...state, logs: [...state.logs, { id: told.id, at, level, text }].slice(-KEPT_MAX) };
    }
    case "execution.progress": {
      const { at, value } = told.data;
      return { ...state, progress: [...state.progress, { id: told.id, at, value }].slice(-KEPT_MAX) };
    }
    default:
      return state;
  }
}

function ended(state: WatchedExecution, { event, data: { execution } }: EndEvent): WatchedExecution {
  const status = event.slice("execution.".length) as Execution["status"];
  const error = { code: event, message: `The execution ended: ${status}.` };
  const next = { ...state, status, approvalId: null, error: status === "succeeded" ? null : error };
  return execution ? withEnd(next, execution) : next;
}

const withEnd = (state: WatchedExecution, execution: Execution): WatchedExecution => ({
  ...state,
  execution,
  result: execution.result,
  error: execution.error ?? state.error,
});
