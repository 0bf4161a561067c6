import assert from "node:assert/strict";
import type { SandboxHooks, SandboxOutcome, SandboxRun } from "@bulkhead/core";
import { WIRE_VERSION } from "../wire/bounds.ts";
import { WireError } from "../wire/wire-error.ts";
import type { FromSandbox } from "../wire/from-sandbox.ts";
import type { PoolSettings } from "./options.ts";
import {
  brokeRules,
  endsProcess,
  killReasonOf,
  layerOfDeath,
  outcomeOfDeath,
  type ProcessExit,
} from "./process-end.ts";
import type { KillReason, LossReason, RecycleReason } from "./process-losses.ts";
import { processStat } from "./process-stat.ts";
import { SandboxChild } from "./sandbox-child.ts";
import type { SpawnedSandbox } from "./spawn-sandbox.ts";
import { NOT_SOUND, SupervisedRun, type ProcessVerdict } from "./supervised-run.ts";

/**
 * starting → ready ⇄ running (reserved counts as that) → ended. Every state may end; `leaving` was sent SIGKILL
 * and is not gone yet.
 */
type ProcessState = "starting" | "ready" | "running" | "leaving" | "ended";

/** One sandbox process. It has no tenant until the pool binds it, and then that one for life. */
export class SandboxProcess {
  tenantId: string | null = null;
  boundAt = 0;
  idleSince = performance.now();
  readonly startedAt = performance.now();
  runs = 0;
  /** After the last run, or when it was ready for the first. */
  rssMib = 0;
  /** It died or broke the wire before anything was heard of its last run: V8 may crash some milliseconds after a right answer. */
  diedUnheard = false;
  /** It ended by itself, or broke the wire, with nothing running in it. */
  diedIdle = false;
  /** A run has left it whole. */
  proved = false;
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<void>;
  #state: ProcessState = "starting";
  readonly #graceMs: number;
  readonly #child: SandboxChild;
  readonly #warmKeys = new WarmKeys();
  readonly #onReady: () => void;
  #current: SupervisedRun | null = null;
  #lossReason: LossReason | null = null;
  /** Why the worker ended it; null where it ended by itself. */
  #judgement: SandboxOutcome | null = null;

  /** `spawn` is called once, at once. */
  constructor(settings: PoolSettings, onReady: () => void, spawn: () => SpawnedSandbox) {
    this.#graceMs = settings.graceMs;
    this.#onReady = onReady;
    this.#child = new SandboxChild(spawn(), {
      hear: (message) => this.#hear(message),
      heardAll: () => this.#heardAll(),
      broke: (how) => this.#end(brokeRules(how)),
      lost: () => this.kill("crashed"),
      closed: (exit) => this.#closed(exit),
    });
    this.ended = this.#child.ended;
    this.#child.start(settings, this.startedAt);
  }

  get state(): ProcessState {
    return this.#state;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The end of what it wrote to standard error. */
  get lastWords(): string {
    return this.#child.lastWords;
  }

  isWarmFor(isolateKey: string): boolean {
    return this.#warmKeys.has(isolateKey);
  }

  /** Takes it for one run, which must follow; only a ready one can be taken. */
  reserve(): void {
    assert(this.#state === "ready", `a sandbox process that is ${this.#state} can't be reserved`);
    this.#state = "running";
    this.runs++;
  }

  /** Runs in this process, which must be reserved and bound. The signal kills it. Never rejects. */
  async run(run: SandboxRun, hooks: SandboxHooks, signal: AbortSignal): Promise<ProcessVerdict> {
    this.#warmKeys.used(run.isolateKey);
    const end = (outcome: SandboxOutcome): void => this.#end(outcome);
    const host = { child: this.#child, rssMib: this.rssMib, graceMs: this.#graceMs, end };
    const current = new SupervisedRun(host, run, hooks, signal);
    this.#current = current;
    try {
      if (this.#state === "ended") this.#closed({ code: null, signal: null });
      else current.begin();
      return await current.ended;
    } finally {
      current.close();
    }
  }

  /** Why it went; for one that has ended. */
  get lossReason(): LossReason {
    return this.#lossReason ?? "crashed";
  }

  /** Ends it at once, whatever it does; safe to call again: the first reason stays. */
  kill(reason: RecycleReason | KillReason): void {
    if (this.#state === "leaving" || this.#state === "ended") return;
    // Its pipe ends, or breaks, before it is known to be gone.
    this.diedIdle = this.#state === "ready" && reason === "crashed";
    this.#state = "leaving";
    this.#lossReason ??= reason;
    this.#child.kill();
  }

  /** Ends it with an outcome for the run that is under way. */
  abandon(): void {
    this.#lossReason ??= "closing";
    this.#end({ outcome: "aborted", message: "The sandbox is closing." });
  }

  #end(outcome: SandboxOutcome): void {
    this.#judgement ??= outcome;
    if (this.#state === "running") this.#current?.see();
    this.kill(killReasonOf(outcome));
  }

  #hear(message: FromSandbox): void {
    if (this.#state === "leaving") return;
    if (message.type === "hello") return this.#greeted(message.version);
    if (this.#current === null) throw new WireError("it spoke without a run");
    if (message.type === "returned" || message.type === "stopped") this.rssMib = message.measures.rssMib;
    this.#current.hear(message);
  }

  #greeted(version: number): void {
    if (version !== WIRE_VERSION) throw new WireError(`it speaks version ${version}`);
    if (this.#state !== "starting") throw new WireError("it greeted twice");
    this.#child.started();
    this.#state = "ready";
    this.rssMib = processStat(this.pid)?.rssMib ?? 0;
    this.idleSince = performance.now();
    this.#onReady();
  }

  #heardAll(): void {
    const current = this.#current;
    const verdict = current?.verdict ?? null;
    if (current === null || verdict === null) return;
    this.#current = null;
    const soundness = current.checkResult();
    if (soundness === null) this.#finish(current, verdict);
    else void this.#finishWhenSound(current, verdict, soundness);
  }

  /** Until then the process serves no other run. */
  async #finishWhenSound(
    current: SupervisedRun,
    verdict: ProcessVerdict,
    soundness: Promise<boolean>,
  ): Promise<void> {
    current.stopWatching();
    if (await soundness) return this.#finish(current, verdict);
    const outcome = brokeRules(NOT_SOUND);
    this.#finish(current, { ...outcome, usage: verdict.usage, endedBy: "worker" });
  }

  #finish(current: SupervisedRun, verdict: ProcessVerdict): void {
    if (endsProcess(verdict)) this.kill(killReasonOf(verdict));
    else if (this.#state === "running") this.#state = "ready";
    this.idleSince = performance.now();
    current.finish(verdict);
  }

  #closed(exit: ProcessExit): void {
    this.#state = "ended";
    const current = this.#current;
    if (current === null) return;
    this.#current = null;
    const outcome = this.#judgement ?? outcomeOfDeath(exit, this.#child.diedOfMemory);
    this.#lossReason ??= killReasonOf(outcome);
    const verdict = current.verdictOfDeath(outcome, layerOfDeath(exit, this.#judgement !== null));
    this.diedUnheard = verdict.outcome === "crashed" && current.isSilent;
    current.finish(verdict);
  }
}

/** Isolates that a sandbox keeps warm; a guess here costs a millisecond, not an error. */
const WARM_KEYS_MAX = 4;

/** The isolates that a process used last, and so most likely still has. */
class WarmKeys {
  readonly #keys = new Set<string>();

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  used(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= WARM_KEYS_MAX) break;
      this.#keys.delete(oldest);
    }
  }
}
