import type { Effect, EffectAnswer, SandboxHooks, SandboxRun, SandboxVerdict } from "@bulkhead/core";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { recordingMeter } from "./fixtures/recording-meter.ts";
import { observeSandbox } from "./observe-sandbox.ts";

const usage = { cpuMs: 20, wallMs: 500, memoryPeakMib: 1, bindMs: 3 };
const RETURNED = { outcome: "returned", json: "1", usage, endedBy: "guest", process: "used" } as const;
const NEVER_RAN = { outcome: "unavailable", message: "", usage, endedBy: "worker", process: "own" } as const;
const ANSWER = { ok: true } as EffectAnswer;
const HOOKS = { onEffect: () => delay(5, ANSWER) } as unknown as SandboxHooks;

/** A run that asks for so many effects side by side, and what was measured of it. */
async function observed(verdict: SandboxVerdict, effects: number) {
  const { meter, sums, records } = recordingMeter();
  const run = async (_run: SandboxRun, hooks: SandboxHooks): Promise<SandboxVerdict> => {
    const asked = Array.from({ length: effects }, () =>
      hooks.onEffect({} as Effect, new AbortController().signal),
    );
    for (const answer of await Promise.all(asked)) expect(answer).toBe(ANSWER);
    return verdict;
  };
  const since = performance.now();
  const signal = new AbortController().signal;
  expect(await observeSandbox({ run }, meter).run({} as SandboxRun, HOOKS, signal)).toBe(verdict);
  return {
    sums,
    tookSeconds: (performance.now() - since) / 1_000,
    phase: (name: string) => records.get(`bulkhead_execution_phase_seconds{${name}}`),
  };
}

test("a run is counted by its end and the layer, and its time told by phase", async () => {
  const { sums, phase } = await observed(RETURNED, 0);
  expect([...sums]).toEqual([["bulkhead_sandbox_runs_total{returned,guest}", 1]]);
  expect([phase("bind"), phase("run"), phase("cpu")]).toEqual([[0.003], [0.5], [0.02]]);
  expect(phase("host_io")).toBeUndefined();
});

test("effects side by side count once", async () => {
  const { phase, tookSeconds } = await observed(RETURNED, 20);
  const [seconds = 0] = phase("host_io") ?? [];
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(tookSeconds);
});

test("what never had a process has waited for one, and nothing more", async () => {
  const { phase } = await observed(NEVER_RAN, 0);
  expect([phase("bind"), phase("run"), phase("cpu")]).toEqual([[0.003], undefined, undefined]);
});

test("a run of which nothing was heard is not counted: it is run again", async () => {
  const crashed = { outcome: "crashed", message: "", usage, endedBy: "process", process: "used" } as const;
  const { sums, phase } = await observed({ ...crashed, unheard: true }, 0);
  expect([...sums]).toEqual([]);
  expect([phase("bind"), phase("run")]).toEqual([undefined, undefined]);
});
