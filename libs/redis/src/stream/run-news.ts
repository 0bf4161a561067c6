import type { LiveRunNews, RunNews, RunNewsLoss } from "@bulkhead/core";
import { announcementsOf, FollowedTenants } from "./followed-tenants.ts";
import { RunFollower } from "./run-follower.ts";
import { decodeRuns } from "./run-message.ts";
import { RunOutbox } from "./run-outbox.ts";
import type { StreamRedis } from "./stream-redis.ts";
import type { Subscription } from "./subscriptions.ts";
import { ANNOUNCE_MS, FOLLOWED_CHANNEL, runsChannelOf } from "./tenant-events-names.ts";

/** Counts news that nobody is told: of one follower that is too slow, or of all by the process that sends. */
export type DroppedNews = (by: "sender" | "follower", count: number) => void;

/** A tenant's followers in this process, who share one subscription. */
interface Hub {
  followers: Set<RunFollower>;
  subscription: Subscription;
}

/**
 * Tells news of executions by publishing alone, where a tenant is followed: a process with followers names their tenants on
 * one channel that every process hears, at once and every `ANNOUNCE_MS`.
 */
export class RedisRunNews implements LiveRunNews {
  readonly #redis: StreamRedis;
  readonly #onDropped: DroppedNews;
  readonly #followed = new FollowedTenants();
  readonly #outbox: RunOutbox;
  readonly #hubs = new Map<string, Hub>();
  readonly #announcements: Subscription;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(redis: StreamRedis, onDropped: DroppedNews) {
    this.#redis = redis;
    this.#onDropped = onDropped;
    this.#outbox = new RunOutbox(
      (tenantId, text) => void this.#publish(runsChannelOf(tenantId), text),
      (count) => onDropped("sender", count),
    );
    this.#announcements = redis.subscriptions.subscribe(FOLLOWED_CHANNEL, {
      onMessage: (text) => this.#followed.hear(text),
      // Whoever is followed still is named again soon.
      onRestored: () => undefined,
    });
  }

  tell(tenantId: string, make: () => RunNews): void {
    if (this.#followed.has(tenantId)) this.#outbox.put(tenantId, make);
  }

  async follow(tenantId: string, signal: AbortSignal): Promise<AsyncIterable<RunNews | RunNewsLoss>> {
    const until = AbortSignal.any([signal, this.#closing.signal]);
    const follower = new RunFollower((count) => this.#onDropped("follower", count));
    if (until.aborted) return follower.read(until);
    const hub = this.#hubs.get(tenantId) ?? this.#openHub(tenantId);
    hub.followers.add(follower);
    until.addEventListener("abort", () => this.#leave(tenantId, hub, follower), { once: true });
    await hub.subscription.ready;
    await this.#publish(FOLLOWED_CHANNEL, tenantId);
    return follower.read(until);
  }

  /** Ends every follower, and sends what waits. */
  close(): void {
    this.#closing.abort();
    this.#announcements.close();
    this.#outbox.flush();
  }

  #openHub(tenantId: string): Hub {
    const followers = new Set<RunFollower>();
    const subscription = this.#redis.subscriptions.subscribe(runsChannelOf(tenantId), {
      onMessage: (text) => {
        const message = decodeRuns(text);
        if (message !== null) for (const follower of followers) follower.take(message);
      },
      onRestored: () => followers.forEach((follower) => follower.missedSome()),
    });
    const hub = { followers, subscription };
    this.#hubs.set(tenantId, hub);
    this.#timer ??= setInterval(() => this.#announce(), ANNOUNCE_MS);
    return hub;
  }

  #leave(tenantId: string, hub: Hub, follower: RunFollower): void {
    hub.followers.delete(follower);
    if (hub.followers.size > 0) return;
    hub.subscription.close();
    this.#hubs.delete(tenantId);
    if (this.#hubs.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #announce(): void {
    for (const text of announcementsOf(this.#hubs.keys())) void this.#publish(FOLLOWED_CHANNEL, text);
  }

  /** Never rejects. */
  async #publish(channel: string, text: string): Promise<void> {
    await this.#redis.commands.publish(channel, text).catch(this.#redis.onError);
  }
}
