import type { SandboxLayer, SandboxLayerReport } from "@bulkhead/core";
import type { PoolSettings } from "../pool/options.ts";
import { SandboxProcess } from "../pool/sandbox-process.ts";
import { OOM_SCORE, spawnSandbox, type Enclosure, type SpawnedSandbox } from "../pool/spawn-sandbox.ts";
import { judgeLayers, type Evidence } from "./judge-layers.ts";
import type { LaunchGround } from "./launch-ground.ts";
import type { LaunchPlan } from "./launch-plan.ts";
import { mayEnd } from "./may-end.ts";
import { observeProcess } from "./observe-process.ts";
import type { Attempt } from "./settle-plan.ts";
import { callWitness } from "./witness.ts";

/** Reports on the process that was looked at, with the reasons known for missing layers. */
export type Reporter = (reasons: Partial<Record<SandboxLayer, string>>) => SandboxLayerReport[];

/** The line of a stack trace, or of a tool's complaint, that says what is wrong. */
const TELLING = /error:|failed|denied|not permitted/i;

/** Starts a whole sandbox process by a plan, waits for its greeting, looks at it from outside and ends it. */
export async function attemptLaunch(
  ground: LaunchGround,
  settings: PoolSettings,
  plan: LaunchPlan,
  signal: AbortSignal,
): Promise<Attempt<Reporter>> {
  if (signal.aborted) return { ok: false, reason: "the pool is closing" };
  const spawned = spawnSandbox(ground, plan);
  const ready = Promise.withResolvers<true>();
  const sandbox = new SandboxProcess(
    settings,
    () => ready.resolve(true),
    () => spawned,
  );
  const onAbort = (): void => sandbox.kill("aborted");
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const greeted = await Promise.race([ready.promise, sandbox.ended.then(() => false)]);
    if (!greeted) return { ok: false, reason: whyNot(spawned, sandbox) };
    const evidence = await gather(spawned.enclosure, sandbox.pid);
    if (!mayEnd(sandbox.pid))
      return { ok: false, reason: "the worker may not end processes of another user" };
    return { ok: true, found: judgeLayers.bind(null, evidence) };
  } finally {
    signal.removeEventListener("abort", onAbort);
    sandbox.kill("aborted");
    // Where it may not be killed it ends by this.
    spawned.connection.destroy();
    await sandbox.ended;
  }
}

function whyNot({ enclosure: { fault } }: SpawnedSandbox, { lastWords }: SandboxProcess): string {
  const lines = lastWords.split("\n").filter((line) => /\S/.test(line));
  const line = lines.find((text) => TELLING.test(text)) ?? lines[0];
  // A process that dies at once has no time to be enclosed: its own words come first.
  return line?.trim() ?? fault ?? "it ended without a greeting";
}

async function gather(enclosure: Enclosure, pid: number): Promise<Evidence> {
  return {
    observed: observeProcess(pid, await callWitness(enclosure.links)),
    limitBytes: (await enclosure.group?.limitBytes()) ?? null,
    enclosure,
    oomScore: OOM_SCORE,
    workerUid: process.getuid?.() ?? -1,
  };
}
