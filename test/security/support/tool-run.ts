import {
  newExecutionId,
  RUN_LIMITS_DEFAULT,
  type Effect,
  type EffectAnswer,
  type LogLine,
  type RunLimits,
  type Sandbox,
  type SandboxHooks,
  type SandboxRun,
  type SandboxVerdict,
} from "@bulkhead/core";
import { isSoundJson } from "@bulkhead/sandbox/wire";

/** What a run is made of, here; everything else has a default. */
export interface RunParts {
  code: string;
  tenantId?: string;
  /** JSON text. */
  argumentsJson?: string;
  network?: boolean;
  limits?: Partial<RunLimits>;
  /** The code's own key where it is not set: equal code shares a warm isolate. */
  isolateKey?: string;
}

/** The one place under `test` that knows how a run for the pool is built. */
export function toolRun({ code, limits = {}, ...parts }: RunParts): SandboxRun {
  const tenantId = parts.tenantId ?? "ten_abuser";
  return {
    tenantId,
    executionId: newExecutionId(new Date()),
    isolateKey: parts.isolateKey ?? `${code}/${limits.memoryMib ?? 0}`,
    code,
    argumentsJson: parts.argumentsJson ?? "{}",
    contextJson: JSON.stringify({ toolName: "abuse", tenantId }),
    configJson: "{}",
    network: parts.network ?? false,
    depth: 1,
    alone: false,
    limits: { ...RUN_LIMITS_DEFAULT, ...limits },
  };
}

/**
 * Runs it as an attempt does: again, alone, where its process died before anything was heard of it, which says nothing of
 * this run but something of the one before.
 */
export async function runHeard(
  pool: Pick<Sandbox, "run">,
  run: SandboxRun,
  hooks: SandboxHooks = new Listener(),
  signal: AbortSignal = NEVER,
): Promise<SandboxVerdict> {
  const verdict = await pool.run(run, hooks, signal);
  return verdict.unheard ? pool.run({ ...run, alone: true }, hooks, signal) : verdict;
}

/** Keeps what a run says, up to a bound, and answers its effects; with a refusal where nothing else is given. */
export class Listener implements SandboxHooks {
  /** Lines and emitted values, in order. */
  readonly said: string[] = [];
  effects = 0;
  startedAt = 0;
  #keptChars = 0;
  readonly #answer: (effect: Effect) => Promise<EffectAnswer>;

  constructor(answer: (effect: Effect) => Promise<EffectAnswer> = refuse) {
    this.#answer = answer;
  }
  onStarted(): void {
    this.startedAt = performance.now();
  }
  onLog(lines: readonly LogLine[]): void {
    for (const { level, text } of lines) this.#keep(`${level}: ${text}`);
  }
  onProgress(json: string): void {
    this.#keep(`progress: ${json}`);
  }
  onLargeResult(json: string): Promise<boolean> {
    return Promise.resolve(isSoundJson(json));
  }
  onEffect(effect: Effect): Promise<EffectAnswer> {
    this.effects += 1;
    return this.#answer(effect);
  }
  #keep(text: string): void {
    this.#keptChars += text.length;
    if (this.#keptChars <= KEPT_CHARS_MAX) this.said.push(text);
  }
}

const KEPT_CHARS_MAX = 4 * 1024 * 1024;

const refuse = (): Promise<EffectAnswer> =>
  Promise.resolve({ ok: false, code: "egress_denied", message: "not from here" });

/** For runs that nobody stops. */
export const NEVER = new AbortController().signal;
