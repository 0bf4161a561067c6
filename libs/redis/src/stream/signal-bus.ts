import { type RateLimiter, type Signal, type SignalBus, type ToldSignal, Fault } from "@bulkhead/core";
import { onReturn } from "../connect/masters.ts";
import { SIGNAL_CHANNEL } from "./names.ts";
import { decodeSignal } from "./signal-codec.ts";
import type { StreamRedis } from "./stream-redis.ts";
import type { Subscription } from "./subscriptions.ts";

export interface OpenedSignalBus extends SignalBus {
  /** Leaves the connections to their owner. */
  close(): void;
}

/** Signals that could not be sent while Redis was away; so many of the latest are sent when it is back. */
const UNSAID_MAX = 1_000;

export interface OpenSignalBusInput {
  redis: StreamRedis;
  /** Marks the tenant of a published change, for processes that miss the message. */
  changes: Pick<RateLimiter, "markChange">;
}

/**
 * Listens from here on. `publish` rejects with `service.unavailable` within a few seconds when Redis is away; the signal
 * is sent again once it is back, when it may be late and is still true.
 */
export async function openSignalBus(input: OpenSignalBusInput): Promise<OpenedSignalBus> {
  const bus = new RedisSignalBus(input);
  await bus.ready;
  return bus;
}

class RedisSignalBus implements OpenedSignalBus {
  readonly #redis: StreamRedis;
  readonly #listeners = new Set<(signal: Signal) => void>();
  readonly #subscription: Subscription;
  readonly #endRetries: () => void;
  readonly #changes: OpenSignalBusInput["changes"];
  #unsaid: ToldSignal[] = [];
  interruptions = 0;

  constructor({ redis, changes }: OpenSignalBusInput) {
    this.#redis = redis;
    this.#changes = changes;
    this.#subscription = redis.subscriptions.subscribe(SIGNAL_CHANNEL, {
      onMessage: (text) => this.#tell(text),
      // Signals that were sent meanwhile are lost.
      onRestored: () => void (this.interruptions += 1),
    });
    this.#endRetries = onReturn(redis.commands, () => this.#sayAgain());
  }

  get ready(): Promise<void> {
    return this.#subscription.ready;
  }

  get connected(): boolean {
    return this.#redis.subscriptions.isLive(SIGNAL_CHANNEL);
  }

  async publish(signal: ToldSignal): Promise<void> {
    try {
      await this.#say(signal);
    } catch (cause) {
      this.#unsaid = [...this.#unsaid, signal].slice(-UNSAID_MAX);
      throw new Fault("service.unavailable", { internal: "a signal could not be published", cause });
    }
  }

  subscribe(listener: (signal: Signal) => void): () => void {
    // A fresh function for each call, so that one listener given twice is two.
    const own = (signal: Signal): void => listener(signal);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  close(): void {
    this.#endRetries();
    this.#unsaid = [];
    this.#listeners.clear();
    this.#subscription.close();
  }

  async #say(signal: ToldSignal): Promise<void> {
    await Promise.all([
      this.#redis.commands.publish(SIGNAL_CHANNEL, JSON.stringify(signal)),
      signal.type === "forget" ? this.#changes.markChange(signal.tenantId) : undefined,
    ]);
  }

  #sayAgain(): void {
    const unsaid = this.#unsaid;
    this.#unsaid = [];
    for (const signal of unsaid) {
      this.#say(signal).catch((error: unknown) => {
        this.#unsaid = [...this.#unsaid, signal].slice(-UNSAID_MAX);
        this.#redis.onError(error);
      });
    }
  }

  #tell(text: string): void {
    const signal = decodeSignal(text);
    if (signal === null) return this.#redis.onError(new Error("a message that is no signal was dropped"));
    for (const listener of this.#listeners) {
      try {
        listener(signal);
      } catch (error) {
        // One listener's fault must not keep the signal from the others.
        this.#redis.onError(error);
      }
    }
  }
}
