import type { ExecutionEvent } from "./event.ts";
import type { Execution, ExecutionKey } from "../execution/execution.ts";

/** The view of executions that clients follow. Losing it loses no execution. */
export interface EventStream {
  /**
   * Appends in order and publishes to all followers. An event whose id is not above the log's last one is dropped: that
   * keeps out a fenced-off holder. Answers whether the last event was taken.
   */
  append(tenantId: string, events: ExecutionEvent[]): Promise<boolean>;
  /**
   * Follows an execution: subscribes first, reads the log from behind `after`, then goes live. Ends after the terminal
   * event, which is read from the row where the log no longer has it. Yields `gap` once, first, when `after` is gone.
   * A consumer that does not pull holds nothing back here: the log is read again from where it stopped.
   */
  follow(
    key: ExecutionKey,
    after: string | null,
    signal: AbortSignal,
  ): AsyncIterable<ExecutionEvent | StreamGap>;
  /**
   * Erases the log of an ended execution; later appends are refused. Rejects with `service.unavailable` when the log can't
   * be reached.
   */
  erase(key: ExecutionKey): Promise<void>;
  /**
   * Listens for the end of an execution, or for the moment in which it waits for a person; `ready` resolves once nothing can
   * be missed: from then on it is seen within moments, or, where Redis is away, by a look at the row every few seconds.
   */
  watchEnd(key: ExecutionKey): EndWatch;
}

/** The events between these two ids (exclusive) are gone. */
export interface StreamGap {
  type: "execution.gap";
  from: string;
  to: string;
}

export interface EndWatch {
  /** Never rejects. */
  ready: Promise<void>;
  /**
   * Resolves also when a person is asked, since who waits for the end need not wait for an answer. Never rejects; stays open
   * when closed first.
   */
  ended: Promise<WatchedEnd>;
  close(): void;
}

/** As it was published; without `execution` where that was too large to carry, and where a person is asked. */
export interface WatchedEnd {
  execution?: Execution;
}

/** Reads an execution's row, for events that its stream no longer holds. */
export type FindExecution = (key: ExecutionKey) => Promise<Execution | null>;

/** Sends short messages between processes. They may get lost, so whatever relies on one has a slower way too. */
export interface SignalBus {
  /**
   * A tenant's change is also marked (`RateLimiter.markChange`), for processes that miss the message. Rejects with
   * `service.unavailable`.
   */
  publish(signal: ToldSignal): Promise<void>;
  subscribe(listener: (signal: Signal) => void): () => void;
  /** Whether signals arrive at present; while not, caches must not be trusted. */
  readonly connected: boolean;
  /** How often signals may have been lost by now: it rises when they arrive again after a time in which they did not. */
  readonly interruptions: number;
}

export type Signal = StopSignal | ForgetSignal;

/** An attempt must stop: its execution was ended from outside. */
interface StopSignal {
  type: "stop";
  executionId: string;
  attempt: number;
}

/** A tool, a key (it is gone, or has another secret) or a tenant changed; with a tenant's id, some tool of that tenant. */
interface ForgetSignal {
  type: "forget";
  kind: "tool" | "key" | "tenant" | "tools";
  id: string;
}

/** The signal as it is published: its sender knows the tenant. */
export type ToldSignal = StopSignal | (ForgetSignal & { tenantId: string });
