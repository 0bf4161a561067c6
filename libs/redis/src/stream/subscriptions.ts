import type { Redis } from "ioredis";
import { SUBSCRIBED_MS_MAX } from "./names.ts";

/** How often the connection is asked whether it still lives; milliseconds. */
const PING_MS = 5_000;
/** Channels in one SUBSCRIBE or UNSUBSCRIBE. */
const CHANNELS_MAX = 1_000;
/** How long a channel without listeners may stay: most are left at an answer, which has to go out first. Milliseconds. */
const LEAVE_MS = 100;

export interface ChannelListener {
  onMessage(text: string): void;
  /** Subscribed again after a time in which messages may have been lost. */
  onRestored(): void;
}

export interface Subscription {
  /** Resolves once messages arrive, or after `SUBSCRIBED_MS_MAX` without (then `onRestored` comes later). Never rejects. */
  ready: Promise<void>;
  /** Safe to call again. */
  close(): void;
}

interface Channel {
  listeners: Set<ChannelListener>;
  ready: PromiseWithResolvers<void>;
  state: "waiting" | "given up waiting" | "subscribed";
  /** The channel was joined before the connection could subscribe: messages may have been missed. */
  late: boolean;
  patience: NodeJS.Timeout;
}

/**
 * Tracks the listeners of channels in this process, over one connection. The first listener of a channel subscribes, and
 * all joins of one turn of the event loop go out in one write; a channel without listeners is unsubscribed soon, many in
 * one write too. After a reconnect it subscribes to all channels that have listeners by then.
 */
export class Subscriptions {
  readonly #redis: Redis;
  readonly #onError: (error: unknown) => void;
  readonly #channels = new Map<string, Channel>();
  readonly #joined = new Set<string>();
  readonly #left = new Set<string>();
  // The channels that this connection asked for, and those that Redis confirmed. A new connection starts with neither.
  readonly #asked = new Set<string>();
  readonly #confirmed = new Set<string>();
  readonly #ping: NodeJS.Timeout;
  #leaving: NodeJS.Timeout | undefined;

  constructor(redis: Redis, onError: (error: unknown) => void) {
    this.#redis = redis;
    this.#onError = onError;
    redis.on("message", (channel: string, text: string) => {
      for (const listener of this.#channels.get(channel)?.listeners ?? []) listener.onMessage(text);
    });
    redis.on("close", () => {
      this.#asked.clear();
      this.#confirmed.clear();
      for (const channel of this.#channels.values()) channel.late = true;
    });
    redis.on("ready", () => {
      for (const channel of this.#channels.keys()) this.#joined.add(channel);
      this.#join();
    });
    this.#ping = setInterval(() => this.#pingOnce(), PING_MS);
  }

  subscribe(name: string, listener: ChannelListener): Subscription {
    const channel = this.#channels.get(name) ?? this.#open(name);
    channel.listeners.add(listener);
    return { ready: channel.ready.promise, close: () => this.#leave(name, channel, listener) };
  }

  /** Whether messages of the channel arrive at present. */
  isLive(name: string): boolean {
    return this.#confirmed.has(name);
  }

  close(): void {
    clearInterval(this.#ping);
    clearTimeout(this.#leaving);
    for (const { patience, ready } of this.#channels.values()) {
      clearTimeout(patience);
      ready.resolve();
    }
    this.#channels.clear();
  }

  #open(name: string): Channel {
    const ready = Promise.withResolvers<void>();
    const channel: Channel = {
      listeners: new Set(),
      ready,
      state: "waiting",
      late: this.#redis.status !== "ready",
      patience: setTimeout(() => {
        channel.state = "given up waiting";
        ready.resolve();
      }, SUBSCRIBED_MS_MAX),
    };
    this.#channels.set(name, channel);
    this.#joined.add(name);
    if (this.#joined.size === 1) queueMicrotask(() => this.#join());
    return channel;
  }

  #leave(name: string, channel: Channel, listener: ChannelListener): void {
    if (!channel.listeners.delete(listener) || channel.listeners.size > 0) return;
    clearTimeout(channel.patience);
    channel.ready.resolve();
    // After the close nothing has to be left.
    if (!this.#channels.delete(name)) return;
    this.#left.add(name);
    this.#leaving ??= setTimeout(() => this.#leaveAll(), LEAVE_MS);
  }

  #join(): void {
    const joined = [...this.#joined];
    this.#joined.clear();
    // The event `ready` subscribes everything that is wanted by then.
    if (this.#redis.status !== "ready") return;
    const wanted = joined.filter((name) => this.#channels.has(name));
    for (const name of wanted.filter((one) => this.#confirmed.has(one))) this.#confirm(name);
    for (const part of inParts(wanted.filter((name) => !this.#asked.has(name)))) {
      for (const name of part) this.#asked.add(name);
      this.#send(this.#redis.subscribe(...part), () => part.forEach((name) => this.#confirm(name)));
    }
  }

  #leaveAll(): void {
    this.#leaving = undefined;
    const left = [...this.#left];
    this.#left.clear();
    // A new connection starts without them.
    if (this.#redis.status !== "ready") return;
    // A channel that was joined again stays; a channel that a new connection never asked for needs no leaving.
    for (const part of inParts(
      left.filter((name) => !this.#channels.has(name) && this.#asked.delete(name)),
    )) {
      for (const name of part) this.#confirmed.delete(name);
      this.#send(this.#redis.unsubscribe(...part), () => undefined);
    }
  }

  #confirm(name: string): void {
    if (this.#asked.has(name)) this.#confirmed.add(name);
    const channel = this.#channels.get(name);
    if (channel === undefined) return;
    clearTimeout(channel.patience);
    const missedSome = channel.state === "given up waiting" || channel.late;
    channel.state = "subscribed";
    channel.late = false;
    channel.ready.resolve();
    if (missedSome) for (const listener of channel.listeners) listener.onRestored();
  }

  /** A request that Redis refuses or leaves unanswered is repeated on a fresh connection. */
  #send(reply: Promise<unknown>, then: () => void): void {
    reply.then(then).catch((error: unknown) => {
      if (this.#redis.status !== "ready") return;
      this.#onError(error);
      this.#redis.disconnect(true);
    });
  }

  #pingOnce(): void {
    // A subscriber sends nothing, so only this finds a connection that died without a word.
    if (this.#redis.status === "ready") this.#send(this.#redis.ping(), () => undefined);
  }
}

function* inParts(names: readonly string[]): Generator<string[]> {
  for (let from = 0; from < names.length; from += CHANNELS_MAX) yield names.slice(from, from + CHANNELS_MAX);
}
