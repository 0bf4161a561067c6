import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BindingRules, type PoolUse } from "./binding-rules.ts";
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
