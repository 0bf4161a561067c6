import type { SandboxLayer } from "@bulkhead/core";
import { BARE_PLAN, type LaunchPlan } from "./launch-plan.ts";
import type { LaunchStep } from "./launch-steps.ts";

/** A start that served its purpose, with what was found, or the reason why it did not. */
export type Attempt<Found> = { ok: true; found: Found } | { ok: false; reason: string };

export interface SettledPlan<Found> {
  plan: LaunchPlan;
  /** The findings of the last good start with this plan; null where not even a bare start works. */
  found: Found | null;
  reasons: Partial<Record<SandboxLayer, string>>;
}

/**
 * The most that works: everything at once where it can be had, by the first of these ways to start by which it can; else, by
 * the first that starts at all, each step on top of those that work. If not even the bare program starts, no layer is to
 * blame, and none is given up.
 */
export async function settlePlan<Way, Found>(
  ways: readonly [Way, ...Way[]],
  steps: readonly LaunchStep[],
  attempt: (way: Way, plan: LaunchPlan) => Promise<Attempt<Found>>,
): Promise<SettledPlan<Found> & { way: Way }> {
  const full: LaunchPlan = Object.assign({ ...BARE_PLAN }, ...steps.map(({ choices }) => choices[0]));
  for (const way of ways) {
    const best = await attempt(way, full);
    if (best.ok) return { way, plan: full, found: best.found, reasons: {} };
  }
  const reasons: string[] = [];
  for (const way of ways) {
    const bare = await attempt(way, BARE_PLAN);
    if (bare.ok) return { way, ...(await addSteps(steps, bare.found, (plan) => attempt(way, plan))) };
    reasons.push(bare.reason);
  }
  return { way: ways[0], plan: full, found: null, reasons: reasonFor(steps, reasons.at(-1) ?? "") };
}

async function addSteps<Found>(
  steps: readonly LaunchStep[],
  bare: Found,
  attempt: (plan: LaunchPlan) => Promise<Attempt<Found>>,
): Promise<SettledPlan<Found>> {
  const settled: SettledPlan<Found> = { plan: BARE_PLAN, found: bare, reasons: {} };
  for (const step of steps) {
    const failures: string[] = [];
    for (const choice of step.choices) {
      const plan = { ...settled.plan, ...choice };
      const tried = await attempt(plan);
      if (!tried.ok) {
        failures.push(tried.reason);
        continue;
      }
      Object.assign(settled, { plan, found: tried.found });
      failures.length = 0;
      break;
    }
    if (failures[0] !== undefined) Object.assign(settled.reasons, reasonFor([step], failures[0]));
  }
  return settled;
}

const reasonFor = (steps: readonly LaunchStep[], reason: string): Partial<Record<SandboxLayer, string>> =>
  Object.fromEntries(steps.flatMap(({ layers }) => layers.map((layer) => [layer, reason])));
