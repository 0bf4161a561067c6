import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  BindingRules,
  ComputingTenants,
  GrowthPace,
  LossBudget,
  mayHoldMore,
  type PoolUse,
} from "./binding-rules.ts";
import { poolSettings } from "./options.ts";
import type { WaitingRun } from "./wait-in-line.ts";

// A pace is of real time, and the machine may stop a test for longer.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const waiter = (said: Partial<WaitingRun> = {}): WaitingRun => ({
  tenantId: "ten_a",
  isolateKey: "tool",
  depth: 1,
  alone: false,
  impatient: true,
  desperate: false,
  take: () => undefined,
  ...said,
});

const use = (said: Partial<PoolUse> = {}) => ({
  inUse: 1,
  keptBlank: 1,
  othersContent: true,
  growing: false,
  startMs: 60_000,
  ...said,
});

const grown = (): BindingRules => {
  const rules = new BindingRules(poolSettings({ processesMax: 12, computingMax: 8 }));
  rules.bound("ten_a", true);
  return rules;
};

test("who has a process is given more at a pace while others are content", () => {
  expect(grown().mayBind(waiter(), 1, 0, use)).toBe("later");
  expect(grown().mayBind(waiter(), 1, 0, () => use({ othersContent: false }))).toBe("yes");
});

test("in one look one is given one more", () => {
  const rules = new BindingRules(poolSettings({ processesMax: 12, computingMax: 8 }));
  expect(rules.mayBind(waiter(), 1, 0, use)).toBe("yes");
  expect(rules.mayBind(waiter(), 1, 0, () => use({ growing: true }))).toBe("later");
});

test("who has none, who runs alone, and what another run waits for know no such pace", () => {
  expect(grown().mayBind(waiter(), 0, 0, use)).toBe("yes");
  expect(grown().mayBind(waiter({ alone: true }), 1, 0, use)).toBe("yes");
  expect(grown().mayBind(waiter({ depth: 2 }), 1, 0, use)).toBe("yes");
});

test("who is patient or holds its share is told no, not later", () => {
  expect(grown().mayBind(waiter({ impatient: false }), 1, 0, use)).toBe("no");
  expect(grown().mayBind(waiter(), 1, 0, () => use({ inUse: 11 }))).toBe("no");
});

test("where processors idle, a line that stands is reason enough, whoever waits and whatever the runs do", () => {
  let idle = 0.5;
  const rules = new BindingRules(
    poolSettings({ processesMax: 12, computingMax: 2, patienceMs: 100, headroom: () => idle }),
  );
  rules.ran("ten_a", { cpuMs: 1, wallMs: 1 });
  const patient = waiter({ impatient: false });
  expect(rules.mayBind(patient, 2, 99, use)).toBe("no");
  expect(rules.mayBind(patient, 2, 100, use)).toBe("yes");
  expect(rules.mayBind(patient, 2, 100, () => use({ inUse: 11 }))).toBe("no");
  idle = 0.1;
  expect(rules.mayBind(patient, 2, 100, use)).toBe("no");
});

/** What each tenant ends up with when they come one after the other and take what they may. */
function shares(processesMax: number, tenants: number): number[] {
  const held: number[] = [];
  for (let tenant = 0; tenant < tenants; tenant++) {
    held[tenant] = 0;
    const running = (): number => held.reduce((sum, own) => sum + own, 0);
    while (running() < processesMax && mayHoldMore(held[tenant] ?? 0, running(), processesMax)) {
      held[tenant] = (held[tenant] ?? 0) + 1;
    }
  }
  return held;
}

test.each([
  [16, 1, [12]],
  [16, 3, [12, 3, 1]],
  [4, 2, [3, 1]],
  [2, 1, [2]],
  [1, 1, [1]],
])("of %d processes, %d greedy tenants get %j", (processesMax, tenants, expected) => {
  expect(shares(processesMax, tenants)).toEqual(expected);
});

test("a tenant of whom nothing is known does not compute", () => {
  expect(new ComputingTenants().isComputing("a")).toBe(false);
});

test("runs that use the processor make a computing tenant, runs that wait make another kind, each for itself", () => {
  const tenants = new ComputingTenants();
  tenants.ran("a", { cpuMs: 0.8, wallMs: 1.2 });
  tenants.ran("b", { cpuMs: 2, wallMs: 500 });
  expect(tenants.isComputing("a")).toBe(true);
  expect(tenants.isComputing("b")).toBe(false);
});

test("a tenant that changes its ways is known by the latest runs", () => {
  const tenants = new ComputingTenants();
  tenants.ran("a", { cpuMs: 1, wallMs: 1 });
  for (let run = 0; run < 30; run += 1) tenants.ran("a", { cpuMs: 1, wallMs: 300 });
  expect(tenants.isComputing("a")).toBe(false);
});

test("a tenant gets its burst, then its pace, and another tenant's budget is its own", () => {
  const budget = new LossBudget({ burst: 3, perSecond: 2 });
  for (let i = 0; i < 3; i++) {
    expect(budget.allows("a", 0)).toBe(true);
    budget.spend("a", 0);
  }
  expect(budget.allows("a", 0)).toBe(false);
  expect(budget.allows("a", 499)).toBe(false);
  expect(budget.allows("a", 500)).toBe(true);
  expect(budget.allows("b", 0)).toBe(true);
});

test("who lost many at once waits for a burst of them at most", () => {
  const budget = new LossBudget({ burst: 2, perSecond: 2 });
  for (let i = 0; i < 20; i++) budget.spend("a", 0);
  expect(budget.allows("a", 1_499)).toBe(false);
  expect(budget.allows("a", 1_500)).toBe(true);
});

test("a process that stays whole costs no token", () => {
  const budget = new LossBudget({ burst: 1, perSecond: 0 });
  for (let i = 0; i < 20; i++) {
    expect(budget.allows("a", 0)).toBe(true);
    budget.spend("a", 0);
    expect(budget.allows("a", 0)).toBe(false);
    budget.giveBack("a", 0);
  }
  budget.giveBack("a", 0);
  budget.spend("a", 0);
  expect(budget.allows("a", 0)).toBe(false);
});

test("tokens that were not used do not add up beyond the burst", () => {
  const budget = new LossBudget({ burst: 2, perSecond: 10 });
  budget.spend("a", 0);
  for (let i = 0; i < 2; i++) budget.spend("a", 60_000);
  expect(budget.allows("a", 60_000)).toBe(false);
});

test("a first growth may come at once, the next when starts have taken an eighth of the processors", () => {
  const pace = new GrowthPace(2);
  expect(pace.allows(0, 100)).toBe(true);
  pace.grew(0);
  expect(pace.allows(399, 100)).toBe(false);
  expect(pace.allows(400, 100)).toBe(true);
});

test("more processors allow faster growth", () => {
  const pace = new GrowthPace(16);
  pace.grew(0);
  expect(pace.allows(49, 100)).toBe(false);
  expect(pace.allows(50, 100)).toBe(true);
});

test("where no start was seen, one is taken to be short; slow starts hold growth back for no more than a second", () => {
  const pace = new GrowthPace(1);
  pace.grew(0);
  expect(pace.allows(599, 0)).toBe(false);
  expect(pace.allows(600, 0)).toBe(true);
  expect(pace.allows(999, 60_000)).toBe(false);
  expect(pace.allows(1_000, 60_000)).toBe(true);
});
