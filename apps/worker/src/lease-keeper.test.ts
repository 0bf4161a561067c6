import { RunningAttempts } from "@bulkhead/executions";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepLeases } from "./lease-keeper.ts";
import type { Repeating } from "./repeating.ts";

const ATTEMPT = { tenantId: "ten_1", executionId: "exe_1", attempt: 1 };

let bus: { connected: boolean; interruptions: number };
let looks: number;
let ours: boolean;
let slotsRenewed: number;
let stopped: string[];
let running: RunningAttempts;
let keeper: Repeating;

beforeEach(() => {
  vi.useFakeTimers();
  bus = { connected: true, interruptions: 0 };
  [looks, ours, slotsRenewed, stopped] = [0, true, 0, []];
  running = new RunningAttempts();
  running.hold(ATTEMPT, (reason) => void stopped.push(reason));
  const executions = {
    renewLeases: async () => {
      looks += 1;
      return ours ? [ATTEMPT] : [];
    },
  };
  const queue = { renew: async () => void (slotsRenewed += 1) };
  keeper = keepLeases({ executions, queue, bus, running, report: (what) => expect.fail(what) });
});
afterEach(async () => {
  await keeper.close();
  vi.useRealTimers();
});

test("while signals arrive, a lease is renewed three times before it would run out", async () => {
  await vi.advanceTimersByTimeAsync(12_000);
  expect(looks).toBeGreaterThanOrEqual(3);
  expect(looks).toBeLessThanOrEqual(4);
  expect(slotsRenewed).toBe(looks);
});

test("while no signal can arrive, what was ended elsewhere is stopped within a second", async () => {
  bus.connected = false;
  ours = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stopped).toContain("superseded");
});

test("once signals arrive again, it looks once, and then as seldom as before", async () => {
  bus.interruptions = 1;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(looks).toBe(1);
  expect(slotsRenewed).toBe(0);
});

test("a lost attempt is stopped, though the one that followed it is held here, too", async () => {
  const lost = { ...ATTEMPT, attempt: 0 };
  running.hold(lost, (reason) => void stopped.push(`lost ${reason}`), lost, -60_000);
  // Two renewals are due by then, at whatever look.
  await vi.advanceTimersByTimeAsync(8_000);
  expect([...new Set(stopped)]).toEqual(["lost superseded"]);
  expect(running.unconfirmedMs(lost)).toBeGreaterThan(60_000);
});
