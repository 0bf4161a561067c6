import { AsyncLocalStorage } from "node:async_hooks";
import type { McpCallHooks } from "@bulkhead/core";
import type { LoggingLevel, Progress } from "@modelcontextprotocol/client";
import { CALL_NOTES_MAX, NOTE_CHARS_MAX } from "./bounds.ts";
import { cut } from "./bridge-error.ts";

type Heard = Pick<McpCallHooks, "onProgress" | "onLog">;

const LEVELS = {
  debug: "debug",
  info: "info",
  notice: "info",
  warning: "warn",
  error: "error",
  critical: "error",
  alert: "error",
  emergency: "error",
} as const satisfies Record<LoggingLevel, "debug" | "info" | "warn" | "error">;

/** A call between its sending and its answer. */
export class RunningCall {
  readonly #hooks: Heard;
  readonly #cover: (text: string) => string;
  readonly #ended = new AbortController();
  readonly #lost = Promise.withResolvers<never>();
  #notes = 0;
  /** The body of its own request; what else is sent for it, such as a cancellation, has a stream of its own. */
  #body: unknown = null;

  constructor(hooks: Heard, cover: (text: string) => string) {
    this.#hooks = hooks;
    this.#cover = cover;
    this.#lost.promise.catch(() => undefined);
  }

  /** Rejects when the stream that would have brought the answer is gone. */
  get lost(): Promise<never> {
    return this.#lost.promise;
  }

  /** Fires when nobody waits for the answer any more. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Whether this is its own request, sent for the first time or after a redirect. */
  isSentBy({ method, body }: RequestInit): boolean {
    if (method !== "POST") return false;
    this.#body ??= body;
    return this.#body === body;
  }

  end(): void {
    this.#ended.abort();
  }

  lose(error: Error): void {
    this.#lost.reject(error);
  }

  onProgress({ progress, total, message }: Progress): void {
    if (!this.#mayNote()) return;
    const said = message === undefined ? {} : { message: this.#covered(message) };
    this.#hooks.onProgress(JSON.stringify({ progress, ...(total === undefined ? {} : { total }), ...said }));
  }

  onLog(level: LoggingLevel, logger: string | undefined, data: unknown): void {
    if (!this.#mayNote()) return;
    const text = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
    const named = logger === undefined ? text : `${logger}: ${text}`;
    this.#hooks.onLog([{ level: LEVELS[level], text: this.#covered(named) }]);
  }

  /** Covered before it is cut, so that no value is cut in two. */
  #covered(text: string): string {
    return cut(this.#cover(cut(text, 2 * NOTE_CHARS_MAX)), NOTE_CHARS_MAX);
  }

  #mayNote(): boolean {
    if (this.ended.aborted || this.#notes > CALL_NOTES_MAX) return false;
    this.#notes += 1;
    if (this.#notes <= CALL_NOTES_MAX) return true;
    const text = `the server said more than ${CALL_NOTES_MAX} things of this call: the rest is left out`;
    this.#hooks.onLog([{ level: "warn", text }]);
    return false;
  }
}

/**
 * The call in whose course something happens. Over HTTP each call has a stream of its own, and what comes by it is heard in
 * this context, although the client's API tells of no stream.
 */
export const runningCall = new AsyncLocalStorage<RunningCall>();
