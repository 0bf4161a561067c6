import { TENANT_LIMITS_DEFAULT, type Admission, type AttemptKey } from "@bulkhead/core";
import { executionIdAt } from "../kernel/ids.ts";
import { Random } from "../kernel/random.ts";
import type { Dispatcher } from "../model/dispatcher.ts";
import { MEAN_FIRST_MS } from "../model/tenant.ts";

/** What waits of each tenant at any moment: enough that none is ever without a backlog. */
const BACKLOG = 30;
const COMPLETIONS = 1_500;
/** As the dispatcher has it. */
const READY_SHARE = 1.25;

interface Contender {
  id: string;
  weight: number;
  /** Of its runs, each drawn up to this; milliseconds. */
  costMsMax: number;
  costMsLargest: number;
  /** Milliseconds of workers that it had so far, those of its runs that go on included. */
  workMs: number;
}

/** How unevenly two tenants were served at worst over any interval; milliseconds of workers for a weight of 1. */
export interface Unevenness {
  pair: string;
  /** Slots that are given away at one time: those that run, and what is ready beside them. */
  handedOut: number;
  /** l_f / w_f + l_m / w_m. */
  largestMs: number;
  worstMs: number;
}

/**
 * Tenants that are backlogged all the time and below their caps share `slots` slots; every moment at which anything
 * starts or ends is looked at. Nothing goes wrong here: the bound is about whose turn it is.
 */
export function shareOut(seed: number, open: (now: () => number) => Dispatcher): Unevenness[] {
  const random = new Random(seed);
  let now = 0;
  const dispatcher = open(() => now);
  const slots = random.whole(1, 16);
  // As one whose processors are saturated.
  dispatcher.announce("worker", random.whole(1, slots), Number.MAX_SAFE_INTEGER, slots);
  const contenders = Array.from({ length: random.whole(2, 5) }, (_, n) => contender(random, n));
  const ready: AttemptKey[] = [];
  const running: { attempt: AttemptKey; owner: Contender; endsAt: number; costMs: number }[] = [];
  let ids = 0;
  const admit = (owner: Contender, count: number): void => {
    const wanted = Array.from({ length: count }, () => admissionOf(owner, executionIdAt(now, (ids += 1))));
    ready.push(...dispatcher.admit(wanted));
  };
  const start = (): void => {
    while (running.length < slots) {
      const attempt = ready.shift();
      const owner = contenders.find(({ id }) => id === attempt?.tenantId);
      if (!attempt || !owner) return;
      const costMs = random.between(owner.costMsMax / 20, owner.costMsMax);
      owner.costMsLargest = Math.max(owner.costMsLargest, costMs);
      running.push({ attempt, owner, costMs, endsAt: now + costMs });
    }
  };
  for (const owner of contenders) admit(owner, BACKLOG);
  const gaps = new Gaps(contenders);
  for (let done = 0; done < COMPLETIONS; done += 1) {
    start();
    const next = running.toSorted((a, b) => a.endsAt - b.endsAt)[0];
    if (!next) throw new Error("slots idle while tenants have a backlog");
    for (const { owner } of running) owner.workMs += next.endsAt - now;
    now = next.endsAt;
    running.splice(running.indexOf(next), 1);
    ready.push(...dispatcher.release(next.attempt, next.costMs));
    admit(next.owner, 1);
    gaps.look();
  }
  return gaps.worst(slots);
}

const contender = (random: Random, n: number): Contender => ({
  id: `ten_${n}`,
  weight: random.pick([1, 1, 2, 4]),
  costMsMax: random.pick([20, 100, 1_000, 10_000]),
  costMsLargest: 0,
  workMs: 0,
});

const largestOf = ({ costMsLargest }: Contender): number => Math.max(costMsLargest, MEAN_FIRST_MS);

const admissionOf = ({ id, weight }: Contender, executionId: string): Admission => ({
  tenantId: id,
  executionId,
  attempt: 1,
  priority: 4,
  delayMs: 0,
  tool: null,
  current: {
    limits: {
      ...TENANT_LIMITS_DEFAULT,
      weight,
      maxConcurrentExecutions: 1_000,
      executionsPerSecond: 100_000,
      executionBurst: 1_000_000,
    },
    asOf: new Date(1),
  },
});

/** By how much a pair's shares have lain apart: over any interval they differ by the range of the gap between them. */
class Range {
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;

  add(gap: number): void {
    this.#least = Math.min(this.#least, gap);
    this.#most = Math.max(this.#most, gap);
  }

  get width(): number {
    return this.#most - this.#least;
  }
}

class Gaps {
  readonly #pairs: { f: Contender; m: Contender; gap: Range }[];

  constructor(contenders: Contender[]) {
    this.#pairs = contenders.flatMap((f, n) =>
      contenders.slice(n + 1).map((m) => ({ f, m, gap: new Range() })),
    );
    this.look();
  }

  look(): void {
    for (const { f, m, gap } of this.#pairs) gap.add(f.workMs / f.weight - m.workMs / m.weight);
  }

  worst(slots: number): Unevenness[] {
    return this.#pairs.map(({ f, m, gap }) => ({
      pair: `${f.id} and ${m.id} on ${slots} slots`,
      handedOut: Math.ceil(slots * READY_SHARE),
      largestMs: largestOf(f) / f.weight + largestOf(m) / m.weight,
      worstMs: gap.width,
    }));
  }
}
