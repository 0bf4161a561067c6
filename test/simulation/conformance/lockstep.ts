import { newTenantId, type Admission } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { expect } from "vitest";
import { Random } from "../kernel/random.ts";
import { nameOf } from "../model/waiting.ts";
import { admission, limited } from "./calls.ts";
import type { QueueUnderTest } from "./queue-under-test.ts";

/** A delay that ends after every test. */
const NEVER_MS = 3_600_000;
/** Two clocks that are read a moment apart; milliseconds. */
const CLOCKS_APART_MS = 1_000;

/** One random history for two dispatchers: every answer and every hand-out must be the same, in the same order. */
export class Lockstep {
  readonly #random: Random;
  readonly #model: QueueUnderTest;
  readonly #real: QueueUnderTest;
  readonly #tenants = Array.from({ length: 4 }, () => newTenantId());
  readonly #open = new Map<string, Admission>();
  readonly #seen: Admission[] = [];
  #asOf = 1_000;

  constructor(seed: number, model: QueueUnderTest, real: QueueUnderTest) {
    this.#random = new Random(seed);
    this.#model = model;
    this.#real = real;
  }

  /** One step of both; throws where they differ. */
  async step(): Promise<void> {
    const what = this.#draw();
    await this.#both(what);
    const expected = this.#model.taken;
    // A difference is told by the comparison, not by the wait.
    await until(() => this.#real.taken.length >= expected.length, {
      what: "the Lua handed out as much as the model",
    }).catch(() => undefined);
    expect(this.#real.taken.slice(-20)).toEqual(expected.slice(-20));
    expect(this.#real.taken.length).toBe(expected.length);
  }

  /** Ends everything that is open. */
  async finishAll(): Promise<void> {
    for (const attempt of this.#open.values()) await this.#both((under) => under.finish(attempt, 10));
    this.#open.clear();
  }

  async #both(what: (under: QueueUnderTest) => Promise<unknown>): Promise<void> {
    const [expected, real] = [await what(this.#model), await what(this.#real)];
    expect(real).toEqual(expected);
  }

  #draw(): (under: QueueUnderTest) => Promise<unknown> {
    const random = this.#random;
    const dice = random.next();
    if (dice < 0.4) return this.#admit();
    if (dice < 0.67) return this.#finish();
    if (dice < 0.75) return this.#comeBack();
    if (dice < 0.8) return this.#release();
    if (dice < 0.86) return this.#setLimits();
    if (dice < 0.9) return this.#reserve();
    const some = this.#some();
    if (dice < 0.93) return async ({ queue }) => (await queue.missing(some)).map(nameOf);
    if (dice < 0.96)
      return ({ queue }) => queue.renew(some.filter((key) => this.#model.taken.includes(nameOf(key))));
    if (dice < 0.98) return ({ queue }) => queue.dispatch();
    return ({ queue }) => queue.admit(some);
  }

  #admit() {
    const random = this.#random;
    const fresh = Array.from({ length: random.whole(1, 3) }, () => {
      // Where a tool has a cap, all of it have one priority: whom a full tool lets through first is then determined.
      const tool = random.chance(0.3) ? { id: "tool_0000000000000001", maxConcurrent: 2 } : null;
      return admission(random.pick(this.#tenants), {
        current: this.#limits(),
        priority: tool ? 4 : random.pick([0, 4, 4, 9]),
        delayMs: random.chance(0.05) ? NEVER_MS : 0,
        tool,
      });
    });
    for (const one of fresh) this.#open.set(nameOf(one), one);
    this.#seen.push(...fresh);
    return ({ queue }: QueueUnderTest) => queue.admit(fresh);
  }

  /** Of what the worker has. */
  #finish() {
    const held = [...this.#open.values()].filter((key) => this.#model.taken.includes(nameOf(key)));
    if (held.length === 0) return this.#admit();
    const attempt = this.#random.pick(held);
    this.#open.delete(nameOf(attempt));
    const usedMs = this.#random.chance(0.2) ? null : this.#random.whole(0, 400);
    return (under: QueueUnderTest) => under.finish(attempt, usedMs);
  }

  /** The next attempt of what the worker has, as a retry and a recovery bring it: before the slot is free. */
  #comeBack() {
    const held = [...this.#open.values()].filter((key) => this.#model.taken.includes(nameOf(key)));
    if (held.length === 0) return this.#admit();
    const attempt = this.#random.pick(held);
    const next = { ...attempt, attempt: attempt.attempt + 1 };
    this.#open.delete(nameOf(attempt));
    this.#open.set(nameOf(next), next);
    return async (under: QueueUnderTest) => {
      await under.queue.admit([next]);
      await under.finish(attempt, 100);
    };
  }

  /** Of what waits, as a cancel does. */
  #release() {
    const waiting = [...this.#open.values()].filter((key) => !this.#model.taken.includes(nameOf(key)));
    if (waiting.length === 0) return this.#admit();
    const attempt = this.#random.pick(waiting);
    this.#open.delete(nameOf(attempt));
    return ({ queue }: QueueUnderTest) => queue.release(attempt, null);
  }

  #setLimits() {
    const tenantId = this.#random.pick(this.#tenants);
    const limits = this.#limits();
    return ({ queue }: QueueUnderTest) => queue.setLimits(tenantId, limits);
  }

  #reserve() {
    const random = this.#random;
    const tenantId = random.pick(this.#tenants);
    const current = this.#limits();
    const executionIds = Array.from(
      { length: this.#random.whole(1, 4) },
      () => admission(tenantId).executionId,
    );
    const priority = random.pick([0, 4, 9]);
    const wanted = { tenantId, executionIds, current, priority, timeoutMs: 60_000 };
    return async ({ queue }: QueueUnderTest) => {
      const { waitMs, ...reserved } = await queue.reserve(wanted);
      // The reservations are given back, so that none lapses at one clock and not yet at the other.
      for (const executionId of executionIds)
        await queue.release({ tenantId, executionId, attempt: 1 }, null);
      return { ...reserved, waits: Math.round(waitMs / CLOCKS_APART_MS / 10) };
    };
  }

  #limits() {
    const random = this.#random;
    this.#asOf += random.whole(-1, 2);
    const rate = { executionsPerSecond: 100_000, executionBurst: 1_000_000 };
    return limited(
      {
        maxConcurrentExecutions: random.whole(1, 4),
        maxQueuedExecutions: random.whole(0, 20),
        weight: random.pick([1, 2, 4]),
        ...rate,
      },
      this.#asOf,
    );
  }

  /** Attempts of all kinds: that wait, run, ended. */
  #some(): Admission[] {
    const open = [...this.#open.values()];
    return open.length > 0
      ? Array.from({ length: 3 }, () => this.#random.pick(open))
      : this.#seen.slice(0, 1);
  }
}
