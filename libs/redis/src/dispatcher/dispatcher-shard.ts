import type {
  Admission,
  AttemptKey,
  QueueFacts,
  Reservation,
  ReservationRequest,
  ShardMeasure,
} from "@bulkhead/core";
import type { RedisClient } from "../connect/connect.ts";
import { answered } from "./answered.ts";
import { Batch } from "./batch.ts";
import * as names from "./names.ts";
import { readLoad } from "./read-load.ts";
import { ReadyList } from "./ready-list.ts";
import * as steps from "./step-arguments.ts";

export interface DispatcherShardInput {
  redis: RedisClient;
  shard: number;
  handedOutLeaseMs: number;
  runningLeaseMs: number;
  reservedMs: number;
  onError: (error: unknown) => void;
}

/** When a shard has something to do next, as far as it knows. */
export interface NextDue {
  /** Milliseconds; null where nothing waits for its time. */
  dueInMs: number | null;
  workers: number;
}

/** One shard's atomic steps, batched. Attempts that they hand out are then in its ready list. */
export class DispatcherShard {
  readonly #input: DispatcherShardInput;
  readonly #redis: RedisClient;
  readonly #base: string;
  readonly #ready: ReadyList;
  readonly #admits: Batch<Admission>;
  readonly #releases: Batch<steps.Release>;

  constructor(input: DispatcherShardInput) {
    this.#input = input;
    this.#redis = input.redis;
    this.#base = names.shardBase(input.shard);
    this.#ready = new ReadyList({ redis: input.redis, prefix: this.#base, onError: input.onError });
    this.#admits = new Batch(names.STEP_SIZE_MAX, (items) => this.admitAll(items));
    this.#releases = new Batch(names.STEP_SIZE_MAX, (items) => this.releaseAll(items));
  }

  admit(admission: Admission): Promise<void> {
    return this.#admits.add(admission);
  }

  release(release: steps.Release): Promise<void> {
    return this.#releases.add(release);
  }

  async reserve({
    tenantId,
    executionIds,
    current,
    timeoutMs,
    priority,
  }: ReservationRequest): Promise<Reservation> {
    const reply = this.#redis.bhReserve(
      this.#base,
      tenantId,
      steps.limitsText(current),
      this.#input.reservedMs,
      timeoutMs,
      priority,
      ...executionIds,
    );
    const [accepted, reason, waitMs, waiting] = await answered(reply);
    const refusedFor = reason === "backlog" || reason === "deadline" ? reason : null;
    return { accepted, refusedFor, waitMs, waiting };
  }

  async setLimits(tenantId: string, limits: string): Promise<void> {
    const { handedOutLeaseMs } = this.#input;
    await answered(this.#redis.bhSetLimits(this.#base, handedOutLeaseMs, tenantId, limits));
  }

  async missing(attempts: AttemptKey[]): Promise<AttemptKey[]> {
    const pairs = attempts.flatMap(steps.attemptArguments);
    const positions = await answered(
      this.#redis.bhMissing(this.#base, this.#input.handedOutLeaseMs, ...pairs),
    );
    return attempts.filter((_, position) => positions.includes(position));
  }

  async renew(attempts: AttemptKey[]): Promise<void> {
    const pairs = attempts.flatMap(steps.attemptArguments);
    await answered(this.#redis.bhRenew(this.#base, this.#input.runningLeaseMs, ...pairs));
  }

  async dispatch(): Promise<NextDue> {
    let next: NextDue = { dueInMs: null, workers: 0 };
    for (let step = 0; step < names.DISPATCH_STEPS_MAX; step++) {
      const [more, dueInMs, workers] = await answered(
        this.#redis.bhDispatch(this.#base, this.#input.handedOutLeaseMs),
      );
      next = { dueInMs: more === 1 ? 0 : dueInMs < 0 ? null : dueInMs, workers };
      if (more === 0) break;
    }
    return next;
  }

  /** Answers how many leases had run out. */
  async reap(): Promise<number> {
    let lapsed = 0;
    for (let step = 0; step < names.DISPATCH_STEPS_MAX; step++) {
      const [more, count] = await answered(this.#redis.bhReap(this.#base, this.#input.handedOutLeaseMs));
      lapsed += count;
      if (more === 0) break;
    }
    return lapsed;
  }

  async measure(): Promise<ShardMeasure> {
    const reply = this.#redis.bhMeasure(this.#base, names.MEASURE_TENANTS_MAX);
    return steps.readMeasure(this.#input.shard, await answered(reply));
  }

  /** What is known of a tenant; of one that the shard has never seen, nothing waits or runs. */
  async facts(tenantId: string): Promise<QueueFacts[]> {
    const reply = this.#redis.bhLoad(this.#base, tenantId, names.LOAD_TENANTS_MAX, 1);
    return readLoad(await answered(reply));
  }

  async busiest(countMax: number): Promise<QueueFacts[]> {
    const reply = this.#redis.bhLoad(this.#base, "", names.MEASURE_TENANTS_MAX, countMax);
    return readLoad(await answered(reply));
  }

  forget(tenantId: string): Promise<number> {
    return answered(this.#redis.bhForgetTenant(this.#base, tenantId, names.FORGET_SIZE_MAX));
  }

  async close(): Promise<void> {
    await this.#ready.close();
  }

  /** Releases at most `STEP_SIZE_MAX` per step. */
  async releaseAll(releases: steps.Release[]): Promise<void> {
    const [, idle] = await answered(
      this.#redis.bhRelease(
        this.#base,
        this.#input.handedOutLeaseMs,
        ...releases.flatMap(steps.releaseArguments),
      ),
    );
    await this.#ready.remove(idle);
  }

  /** Admits at most `STEP_SIZE_MAX` per step. */
  async admitAll(admissions: Admission[]): Promise<void> {
    await answered(
      this.#redis.bhAdmit(
        this.#base,
        this.#input.handedOutLeaseMs,
        steps.LIMITS_DEFAULT_TEXT,
        ...steps.admissionArguments(admissions),
      ),
    );
  }
}
