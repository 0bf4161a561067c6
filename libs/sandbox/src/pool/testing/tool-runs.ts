import {
  newExecutionId,
  RUN_LIMITS_DEFAULT,
  type Effect,
  type EffectAnswer,
  type LogLine,
  type RunLimits,
  type SandboxHooks,
  type SandboxRun,
  type SandboxVerdict,
} from "@bulkhead/core";
import { isSoundJson } from "../../wire/json-depth.ts";
import type { SandboxPool } from "../sandbox-pool.ts";

/** For tests whose runs end their processes by design: the tenant is given new ones at any pace. */
export const ANY_PACE = { lossPace: { burst: 10_000, perSecond: 10_000 } };

/** A run of this code with default limits, by one tenant. */
export function toolRun(
  code: string,
  more: Partial<SandboxRun> = {},
  limits: Partial<RunLimits> = {},
): SandboxRun {
  return {
    tenantId: "ten_a",
    executionId: newExecutionId(new Date()),
    isolateKey: `${code}/${limits.memoryMib ?? 0}`,
    code,
    argumentsJson: '{"a":1}',
    contextJson: '{"toolName":"t","tenantId":"ten_a"}',
    configJson: "{}",
    network: false,
    depth: 1,
    alone: false,
    limits: { ...RUN_LIMITS_DEFAULT, ...limits },
    ...more,
  };
}

/** For rows that need no isolate of their own: one for each costs several times what its run does. */
export const ONE_ISOLATE = { isolateKey: "rows" };

/** Collects what a run says, in order, as short texts; `answer` answers each effect. */
export class Heard implements SandboxHooks {
  readonly said: string[] = [];
  readonly #answer: (effect: Effect) => EffectAnswer;

  constructor(answer: (effect: Effect) => EffectAnswer = refuse) {
    this.#answer = answer;
  }
  onStarted(): void {
    this.said.push("started");
  }
  onLog(lines: readonly LogLine[]): void {
    for (const { level, text } of lines) this.said.push(`${level}: ${text}`);
  }
  onProgress(json: string): void {
    this.said.push(`progress: ${json}`);
  }
  onLargeResult(json: string): Promise<boolean> {
    return Promise.resolve(isSoundJson(json));
  }
  onEffect(effect: Effect): Promise<EffectAnswer> {
    if (effect.kind === "fetch") this.said.push(`fetch: ${effect.request.method} ${effect.request.url}`);
    else this.said.push(effect.kind);
    return Promise.resolve(this.#answer(effect));
  }
}

const refuse = (): EffectAnswer => ({ ok: false, code: "egress_denied", message: "not from here" });

/** Runs it with nobody listening and no way to stop it. */
export const runQuietly = (pool: SandboxPool, run: SandboxRun): Promise<SandboxVerdict> =>
  pool.run(run, new Heard(), new AbortController().signal);

/** Whether the system still knows this process. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
