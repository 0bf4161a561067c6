import type { AttemptKey } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { Dispatcher } from "../model/dispatcher.ts";
import type { TenantState } from "../model/tenant.ts";
import { shareOut } from "./share-out.ts";

const SEEDS = Array.from({ length: isNightly ? 300 : 30 }, (_, n) => n + 1);

type Open = (now: () => number) => Dispatcher;

/**
 * |W_f/w_f - W_m/w_m| over any interval, of c (l_f/w_f + l_m/w_m): c are the slots that are given away at one time, l is
 * the largest single cost, or what a run is taken for before anything is known, where that is more.
 */
const ofBound = (seed: number, open: Open): number =>
  Math.max(
    ...shareOut(seed, open).map(({ worstMs, largestMs, handedOut }) => worstMs / (handedOut * largestMs)),
  );

const honest: Open = (now) => new Dispatcher(now);

test("[L7] tenants that are always backlogged are served within the bound", { timeout: 60_000 }, () => {
  const ratios = SEEDS.map((seed) => ofBound(seed, honest));
  const worst = Math.max(...ratios);
  process.stdout.write(
    `fairness: ${SEEDS.length} seeds, at worst ${(worst * 100).toFixed(0)} % of the bound\n`,
  );
  expect(worst, `seed ${ratios.indexOf(worst) + 1}`).toBeLessThanOrEqual(1);
});

class ByName extends Dispatcher {
  protected override get next(): TenantState | undefined {
    return [...this.tenants.values()].find(({ inRing }) => inRing);
  }
}
class CountsRuns extends Dispatcher {
  override release(attempt: AttemptKey): AttemptKey[] {
    return super.release(attempt, null);
  }
}
class SparesWhoHoldsNone extends Dispatcher {
  protected override get nextFirst(): TenantState | undefined {
    return this.inflight < 20
      ? [...this.tenants.values()].find(({ inRing, slots }) => inRing && slots.size === 0)
      : undefined;
  }
}

test.each([
  ["lets who holds no slot start, whatever it had", SparesWhoHoldsNone],
  ["goes by names", ByName],
  ["counts runs in place of worker time", CountsRuns],
])("a dispatcher that %s is caught", { timeout: 60_000 }, (_, Mutant) => {
  expect(SEEDS.some((seed) => ofBound(seed, (now) => new Mutant(now)) > 1)).toBe(true);
});
