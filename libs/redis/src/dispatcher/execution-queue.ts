import {
  attemptName,
  type Admission,
  type AttemptKey,
  type ExecutionLoads,
  type ExecutionQueue,
  type LimitsAsOf,
  type QueueFacts,
  type Reservation,
  type ReservationRequest,
  type ShardMeasure,
  type UsedMs,
} from "@bulkhead/core";
import assert from "node:assert";
import { checkRedis } from "../connect/masters.ts";
import { disconnect, type RedisClient } from "../connect/connect.ts";
import { answered } from "./answered.ts";
import type { DispatcherShard, NextDue } from "./dispatcher-shard.ts";
import * as names from "./names.ts";
import { ReleasedLately } from "./released-lately.ts";
import { shardOf } from "./shard-of.ts";
import { inParts, limitsText, type Release } from "./step-arguments.ts";

export interface OpenedExecutionQueue extends ExecutionQueue, ExecutionLoads {
  /** `dispatch`, which tells when it is worth calling again; null where nothing waits for its time. */
  dispatchDue(): Promise<NextDue>;
  /**
   * Drops the keys of a tenant that has nothing waiting or running; answers how much it still holds: 0 when nothing is
   * left, else call it again.
   */
  forget(tenantId: string): Promise<number>;
  /** Resolves when every key of it can be reached; rejects otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Failed releases that are kept for another try; beyond that the lease frees the slot. */
const UNRELEASED_MAX = 10_000;

/** Finds each tenant's shard, and makes up for releases that Redis was not there for. */
export class ShardedExecutionQueue implements OpenedExecutionQueue {
  readonly #redis: RedisClient;
  readonly #shards: DispatcherShard[];
  readonly #released = new ReleasedLately();
  readonly #unreleased = new Map<string, Release>();

  constructor(redis: RedisClient, shards: DispatcherShard[]) {
    this.#redis = redis;
    this.#shards = shards;
  }

  async reserve(wanted: ReservationRequest): Promise<Reservation> {
    let accepted = 0;
    let reserved: Reservation = { accepted, refusedFor: null, waitMs: 0, waiting: 0 };
    for (const executionIds of inParts(wanted.executionIds, names.RESERVE_SIZE_MAX)) {
      reserved = await this.#shard(wanted.tenantId).reserve({ ...wanted, executionIds });
      accepted += reserved.accepted;
      if (reserved.refusedFor !== null) break;
    }
    return { ...reserved, accepted };
  }

  async admit(admissions: Admission[]): Promise<void> {
    const [first] = admissions;
    if (first && admissions.length === 1) return this.#shard(first.tenantId).admit(first);
    // The parts go one after the other, so that other commands to Redis get their turn in between.
    for (const [shard, part] of this.#byShard(admissions, (admission) => admission))
      await shard.admitAll(part);
  }

  async release(attempt: AttemptKey, usedMs: UsedMs): Promise<void> {
    const name = attemptName(attempt);
    this.#released.add(name);
    try {
      await this.#shard(attempt.tenantId).release({ attempt, usedMs });
    } catch (error) {
      if (this.#unreleased.size < UNRELEASED_MAX) this.#unreleased.set(name, { attempt, usedMs });
      throw error;
    }
  }

  async setLimits(tenantId: string, current: LimitsAsOf): Promise<void> {
    await this.#shard(tenantId).setLimits(tenantId, limitsText(current));
  }

  async missing(attempts: AttemptKey[]): Promise<AttemptKey[]> {
    const missing: AttemptKey[] = [];
    for (const [shard, part] of this.#byShard(attempts, (attempt) => attempt)) {
      missing.push(...(await shard.missing(part)));
    }
    return missing;
  }

  async renew(attempts: AttemptKey[]): Promise<void> {
    const running = attempts.filter((attempt) => !this.#released.has(attemptName(attempt)));
    this.#released.age();
    for (const [shard, part] of this.#byShard(running, (attempt) => attempt)) await shard.renew(part);
  }

  async dispatch(): Promise<void> {
    await this.dispatchDue();
  }

  async dispatchDue(): Promise<NextDue> {
    const all = await Promise.all(this.#shards.map((shard) => shard.dispatch()));
    const due = all.flatMap(({ dueInMs }) => dueInMs ?? []);
    return {
      dueInMs: due.length > 0 ? Math.min(...due) : null,
      workers: Math.max(...all.map(({ workers }) => workers)),
    };
  }

  async reap(): Promise<number> {
    let freed = await this.#releaseAgain();
    for (const shard of this.#shards) freed += await shard.reap();
    return freed;
  }

  measure(): Promise<ShardMeasure[]> {
    return Promise.all(this.#shards.map((shard) => shard.measure()));
  }

  async facts(tenantId: string): Promise<QueueFacts> {
    const [facts] = await this.#shard(tenantId).facts(tenantId);
    assert(facts, "a tenant that is asked for is told");
    return facts;
  }

  async busiest(countMax: number): Promise<QueueFacts[]> {
    const all = await Promise.all(this.#shards.map((shard) => shard.busiest(countMax)));
    return all
      .flat()
      .toSorted((a, b) => b.backlog + b.inflight - a.backlog - a.inflight)
      .slice(0, countMax);
  }

  forget(tenantId: string): Promise<number> {
    return this.#shard(tenantId).forget(tenantId);
  }

  async ping(): Promise<void> {
    await answered(checkRedis(this.#redis));
  }

  async close(): Promise<void> {
    // BullMQ leaves a connection alone that was handed to it.
    await Promise.all(this.#shards.map((shard) => shard.close()));
    await disconnect(this.#redis);
  }

  /** Releases that Redis was not there for; answers how many got through. */
  async #releaseAgain(): Promise<number> {
    const retried = [...this.#unreleased];
    const releases = retried.map(([, release]) => release);
    for (const [shard, part] of this.#byShard(releases, ({ attempt }) => attempt)) {
      await shard.releaseAll(part);
    }
    for (const [name] of retried) this.#unreleased.delete(name);
    return retried.length;
  }

  #shard(tenantId: string): DispatcherShard {
    const shard = this.#shards[shardOf(tenantId, this.#shards.length)];
    if (shard === undefined) throw new Error("no such shard");
    return shard;
  }

  /** In parts that fit one step each. */
  *#byShard<T>(items: T[], attemptOf: (item: T) => AttemptKey): Generator<[DispatcherShard, T[]]> {
    const byShard = Map.groupBy(items, (item) => this.#shard(attemptOf(item).tenantId));
    for (const [shard, own] of byShard) {
      for (const part of inParts(own, names.STEP_SIZE_MAX)) yield [shard, part];
    }
  }
}
