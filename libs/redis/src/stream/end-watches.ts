import {
  endEventOf,
  isEndEvent,
  type EndWatch,
  type ExecutionKey,
  type FindExecution,
  type WatchedEnd,
} from "@bulkhead/core";
import { decodeEvent } from "./event-codec.ts";
import { channelOf } from "./names.ts";
import type { ChannelListener, Subscription, Subscriptions } from "./subscriptions.ts";

export interface EndWatchesDeps {
  subscriptions: Pick<Subscriptions, "subscribe">;
  findExecution: FindExecution;
  checkMs: number;
  onRowError: (error: unknown) => void;
}

/** So much of `checkMs` passes between two rounds over the watches that are due. */
const ROUNDS = 5;

/** All that wait for an end in this process; one timer looks after them, and only while there are any. */
export class EndWatches {
  readonly #deps: EndWatchesDeps;
  readonly #watches = new Set<Watch>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: EndWatchesDeps) {
    this.#deps = deps;
  }

  watch(key: ExecutionKey): EndWatch {
    const watch = new Watch(this.#deps, key);
    this.#watches.add(watch);
    this.#timer ??= setInterval(() => this.#round(), this.#deps.checkMs / ROUNDS);
    return {
      ready: watch.ready,
      ended: watch.ended,
      close: () => {
        watch.close();
        this.#forget(watch);
      },
    };
  }

  close(): void {
    for (const watch of this.#watches) {
      watch.close();
      this.#forget(watch);
    }
  }

  #forget(watch: Watch): void {
    this.#watches.delete(watch);
    if (this.#watches.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #round(): void {
    const due = performance.now() - this.#deps.checkMs;
    for (const watch of this.#watches) {
      if (watch.lookedAt <= due) void watch.look();
    }
  }
}

/** Takes an event only from a message's last line, since nothing comes after a terminal event, nor of whom waits for a person. */
class Watch implements ChannelListener {
  readonly #deps: EndWatchesDeps;
  readonly #key: ExecutionKey;
  readonly #subscription: Subscription;
  readonly #end = Promise.withResolvers<WatchedEnd>();
  lookedAt = performance.now();

  constructor(deps: EndWatchesDeps, key: ExecutionKey) {
    this.#deps = deps;
    this.#key = key;
    this.#subscription = deps.subscriptions.subscribe(channelOf(key), this);
  }

  get ready(): Promise<void> {
    return this.#subscription.ready;
  }
  get ended(): Promise<WatchedEnd> {
    return this.#end.promise;
  }

  onMessage(text: string): void {
    const event = decodeEvent(text.slice(text.lastIndexOf("\n") + 1));
    if (event && isEndEvent(event)) this.#end.resolve(event);
    else if (event?.type === "execution.awaiting_approval") this.#end.resolve({});
  }

  onRestored(): void {
    void this.look();
  }

  /** Never rejects. */
  async look(): Promise<void> {
    this.lookedAt = performance.now();
    try {
      const row = await this.#deps.findExecution(this.#key);
      const end = row && endEventOf(row);
      if (end) this.#end.resolve(end);
      else if (row?.status === "awaiting_approval") this.#end.resolve({});
    } catch (error) {
      this.#deps.onRowError(error);
    }
  }

  close(): void {
    this.#subscription.close();
  }
}
