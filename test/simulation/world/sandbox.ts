import type { Sandbox, SandboxHooks, SandboxOutcome, SandboxVerdict } from "@bulkhead/core";
import type { SeenAttempts } from "./seen-attempts.ts";
import type { VirtualProcess } from "../kernel/scheduler.ts";
import type { World } from "./world.ts";

/** Milliseconds from an abort to the guest's death. */
const DEATH_MS_MAX = 250;
const STEPS_MAX = 4;
const STEP_MS = 200;
const LONG_STEP_MS = 2_000;
/** Longer than anything in a world: a guest that never answers by itself. */
const NEVER_MS = 3_600_000;

/** A run's way, drawn before it begins: what it does at each step, and how it ends. */
interface Plan {
  bindMs: number;
  steps: { ms: number; does: "log" | "effect" | "nothing" }[];
  end: SandboxOutcome | "never";
}

function draw(world: World): Plan {
  const { random } = world;
  const unhealed = world.network.mishaps.lost > 0;
  const does = () => random.pick(["log", "effect", "effect", "nothing"] as const);
  const stepMs = random.chance(world.longRuns) ? LONG_STEP_MS : STEP_MS;
  const steps = Array.from({ length: random.whole(0, STEPS_MAX) }, () => ({
    ms: random.skewed(stepMs, stepMs * 5),
    does: does(),
  }));
  const ends: Plan["end"][] = [
    { outcome: "threw", message: "It threw." },
    { outcome: "crashed", message: "It died." },
    { outcome: "cpu", message: "Too long." },
  ];
  if (unhealed) ends.push("never", { outcome: "unavailable", message: "No process." });
  const returned = { outcome: "returned", json: "1" } as const;
  return { bindMs: random.skewed(5, 200), steps, end: random.chance(0.6) ? returned : random.pick(ends) };
}

/** Runs of one worker process: they take a while, speak, ask for effects, and end in every way; they die with the worker. */
export function sandboxOf(
  world: World,
  process: VirtualProcess,
  running: SeenAttempts,
): Pick<Sandbox, "run"> {
  const { random, scheduler } = world;
  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      scheduler.after(ms, process, resolve);
      signal.addEventListener("abort", () =>
        scheduler.after(random.between(0, DEATH_MS_MAX), process, resolve),
      );
    });
  const perform = async (plan: Plan, url: string, hooks: SandboxHooks, signal: AbortSignal) => {
    await sleep(plan.bindMs, signal);
    if (!signal.aborted && plan.end !== "never") hooks.onStarted();
    for (const { ms, does } of plan.steps) {
      await sleep(ms, signal);
      if (signal.aborted) return;
      if (does === "log") hooks.onLog([{ level: "info", text: "Still there." }]);
      if (does !== "effect") continue;
      const request = {
        url,
        method: "POST",
        headers: [],
        body: null,
        bodyEncoding: "utf8",
        redirect: "follow",
      } as const;
      await hooks.onEffect({ kind: "fetch", request: { ...request, headers: [] }, requestId: 1 }, signal);
    }
    if (plan.end === "never") await sleep(NEVER_MS, signal);
  };
  return {
    run: async (run, hooks, signal): Promise<SandboxVerdict> => {
      const plan = draw(world);
      const began = scheduler.now;
      const { executionId } = run;
      const attempt = running.attemptOf(executionId);
      const guest = { executionId, attempt, by: process.name };
      world.history.tell({ kind: "began", ...guest });
      const isAvailable = plan.end === "never" || plan.end.outcome !== "unavailable";
      if (isAvailable) await perform(plan, `${executionId}/${attempt}`, hooks, signal);
      world.history.tell({ kind: "stopped", ...guest });
      const aborted = { outcome: "aborted", message: "It was stopped." } as const;
      const end = signal.aborted || plan.end === "never" ? aborted : plan.end;
      const used = run.alone ? "own" : random.pick(["used", "fresh"] as const);
      const usage = { cpuMs: 1, wallMs: scheduler.now - began, memoryPeakMib: 1, bindMs: plan.bindMs };
      return { ...end, usage, endedBy: end.outcome === "returned" ? "guest" : "process", process: used };
    },
  };
}
