import assert from "node:assert/strict";
import { hash } from "node:crypto";
import type { SandboxHooks, SandboxOutcome, SandboxRun } from "@bulkhead/domain";
import {
  encodeFrame,
  encodeText,
  FROM_SANDBOX_BYTES_MIN,
  FrameReader,
  fromSandboxBytesMax,
  TO_SANDBOX_BYTES_MAX,
  WIRE_VERSION,
  WireError,
  type EffectAnswer,
  type FromSandbox,
  type ToSandbox,
} from "@bulkhead/wire";
import { Overseer } from "./overseer.ts";
import type { PoolSettings } from "./options.ts";
import type { SpawnedSandbox } from "./spawn-sandbox.ts";
import { SupervisedRun, type ProcessVerdict } from "./supervised-run.ts";

/**
 * starting → ready ⇄ running (reserved counts as that) → ended. Every state may end; `leaving` was sent SIGKILL
 * and is not gone yet.
 */
export type ProcessState = "starting" | "ready" | "running" | "leaving" | "ended";

/** Isolates that a sandbox keeps warm; a guess here costs a millisecond, not an error. */
const WARM_KEYS_MAX = 4;
/** A timer that is so late was not merely busy. */
const PAUSE_MS_MIN = 1_000;
const STDERR_BYTES_MAX = 64 * 1024;
const STDERR_TAIL_CHARS = 2_048;
const OUT_OF_MEMORY = /out of memory|invalid (table|array|string) (size|length)|allocation failed/i;

/** One sandbox process. It has no tenant until the pool binds it, and then that one for life. */
export class SandboxProcess {
  tenantId: string | null = null;
  boundAt = 0;
  idleSince = performance.now();
  readonly startedAt = performance.now();
  runs = 0;
  /** After the last run. */
  rssMib = 0;
  /** It died or broke the wire before anything was heard of its last run: V8 may crash some milliseconds after a right answer. */
  diedUnheard = false;
  #state: ProcessState = "starting";
  readonly #settings: PoolSettings;
  readonly #spawned: SpawnedSandbox;
  readonly #reader = new FrameReader(FROM_SANDBOX_BYTES_MIN);
  readonly #warmKeys = new Set<string>();
  #startDeadline: NodeJS.Timeout;
  readonly #onReady: () => void;
  #current: { supervised: SupervisedRun; resolve: (verdict: ProcessVerdict) => void } | null = null;
  /** Why the worker ended it; null where it ended by itself. */
  #judgement: SandboxOutcome | null = null;
  #stderr = "";
  #stderrBytes = 0;
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<void>;

  /** `spawn` is called once, at once. */
  constructor(settings: PoolSettings, onReady: () => void, spawn: () => SpawnedSandbox) {
    this.#settings = settings;
    this.#onReady = onReady;
    this.#spawned = spawn();
    const { child, connection, released } = this.#spawned;
    connection.on("data", (chunk: Buffer) => this.#read(chunk));
    // A write to a process that has just died; its end is judged when it is closed.
    connection.on("error", () => this.kill());
    connection.on("end", () => this.kill());
    child.stderr?.on("data", (chunk: Buffer) => this.#readStderr(chunk));
    this.ended = new Promise((resolve) => {
      child.once("close", (code, signal) => {
        this.#closed(code, signal);
        resolve(released);
      });
      child.once("error", () => {
        this.#closed(null, null);
        resolve(released);
      });
    });
    this.#startDeadline = setTimeout(() => this.#startIsLate(), settings.startMsMax);
    void this.#greet();
  }

  /** Sends the program, where it comes by the wire, and asks whether it is there. */
  async #greet(): Promise<void> {
    const { program, warmMemoryMib } = this.#settings;
    try {
      const bundle = await program.bundle?.();
      if (!(await this.#spawned.enclosed)) return this.kill();
      for (const text of bundle === undefined ? [] : [bundle.program, bundle.guest])
        this.#write(encodeText(text));
      this.#send({ type: "hello", version: WIRE_VERSION, warmMemoryMib });
    } catch {
      // A start that fails is counted and told by the fleet, whatever it failed of.
      this.kill();
    }
  }

  get state(): ProcessState {
    return this.#state;
  }

  get pid(): number {
    return this.#spawned.child.pid ?? -1;
  }

  /** The end of what it wrote to standard error. */
  get lastWords(): string {
    return this.#stderr;
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
  run(run: SandboxRun, hooks: SandboxHooks, signal: AbortSignal): Promise<ProcessVerdict> {
    this.#rememberKey(run.isolateKey);
    this.#reader.payloadBytesMax = fromSandboxBytesMax(run.limits);
    const supervised = new SupervisedRun(run, hooks, (requestId, answer) =>
      this.#answer(run, requestId, answer),
    );
    const overseer = new Overseer(this.pid, run.limits, this.#settings.graceMs, (outcome) =>
      this.#end(outcome),
    );
    const onAbort = (): void => this.#end({ outcome: "aborted", message: "The run was stopped." });
    signal.addEventListener("abort", onAbort, { once: true });
    return new Promise<ProcessVerdict>((resolve) => {
      this.#current = { supervised, resolve };
      if (this.#state === "ended") this.#closed(null, null);
      else if (signal.aborted) onAbort();
      else this.#sendRun(run);
    }).finally(() => {
      signal.removeEventListener("abort", onAbort);
      overseer.stop();
      supervised.close();
    });
  }

  /** Ends it at once, whatever it does; safe to call again. */
  kill(): void {
    if (this.#state === "leaving" || this.#state === "ended") return;
    this.#state = "leaving";
    this.#spawned.child.kill("SIGKILL");
  }

  /** Ends it with an outcome for the run that is under way. */
  abandon(): void {
    this.#end({ outcome: "aborted", message: "The sandbox is closing." });
  }

  #end(outcome: SandboxOutcome): void {
    this.#judgement ??= outcome;
    this.kill();
  }

  #rememberKey(key: string): void {
    this.#warmKeys.delete(key);
    this.#warmKeys.add(key);
    for (const oldest of this.#warmKeys) {
      if (this.#warmKeys.size <= WARM_KEYS_MAX) break;
      this.#warmKeys.delete(oldest);
    }
  }

  #sendRun(run: SandboxRun): void {
    const { executionId, code, argumentsJson, contextJson, configJson, network } = run;
    // Callers make keys as long as they like; the wire's are short.
    const isolateKey = hash("sha256", run.isolateKey);
    const { cpuMs, wallMs, memoryMib, resultBytes, logBytes, bytesOut } = run.limits;
    const limits = { cpuMs, wallMs, memoryMib, resultBytes, logBytes, bytesOut };
    this.#send({
      type: "run",
      executionId,
      isolateKey,
      code,
      argumentsJson,
      contextJson,
      configJson,
      network,
      limits,
    });
  }

  #answer({ executionId }: SandboxRun, requestId: number, answer: EffectAnswer): void {
    try {
      this.#send({ type: "answered", executionId, requestId, answer });
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const message = "The response is too large to be handed to the tool.";
      this.#send({
        type: "answered",
        executionId,
        requestId,
        answer: { ok: false, code: "network_limit", message },
      });
    }
  }

  #send(message: ToSandbox): void {
    this.#write(encodeFrame(message, TO_SANDBOX_BYTES_MAX));
  }

  #write(frame: Buffer): void {
    if (this.#spawned.connection.writable) this.#spawned.connection.write(frame);
  }

  #read(chunk: Buffer): void {
    try {
      for (const message of this.#reader.push(chunk)) this.#hear(message);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return this.#end({
        outcome: "crashed",
        message: `The sandbox process broke its rules: ${error.message}.`,
      });
    }
    const verdict = this.#current?.supervised.verdict ?? null;
    if (verdict !== null) this.#finish(verdict);
  }

  #hear(message: FromSandbox): void {
    if (this.#state === "leaving") return;
    if (message.type === "hello") return this.#greeted(message.version);
    if (this.#current === null) throw new WireError("it spoke without a run");
    if (message.type === "returned" || message.type === "stopped") this.rssMib = message.measures.rssMib;
    this.#current.supervised.hear(message);
  }

  /** A deadline that comes late itself means that this worker was paused: the greeting may wait to be read. */
  #startIsLate(): void {
    const late = performance.now() - this.startedAt - this.#settings.startMsMax;
    if (late < PAUSE_MS_MIN) return this.kill();
    this.#startDeadline = setTimeout(() => this.kill(), this.#settings.startMsMax);
  }

  #greeted(version: number): void {
    if (version !== WIRE_VERSION) throw new WireError(`it speaks version ${version}`);
    if (this.#state !== "starting") throw new WireError("it greeted twice");
    clearTimeout(this.#startDeadline);
    this.#state = "ready";
    this.idleSince = performance.now();
    this.#onReady();
  }

  /** A verdict that names a limit ends the process too: what its guest left behind is not worth the risk. */
  #finish(verdict: ProcessVerdict): void {
    const current = this.#current;
    this.#current = null;
    if (isBreach(verdict)) this.kill();
    else if (this.#state === "running") this.#state = "ready";
    this.idleSince = performance.now();
    current?.resolve(verdict);
  }

  #readStderr(chunk: Buffer): void {
    this.#stderrBytes += chunk.length;
    this.#stderr = (this.#stderr + chunk.toString("latin1")).slice(-STDERR_TAIL_CHARS);
    if (this.#stderrBytes > STDERR_BYTES_MAX) {
      this.#end({ outcome: "crashed", message: "The sandbox process broke its rules: it floods." });
    }
  }

  #closed(code: number | null, signal: NodeJS.Signals | null): void {
    clearTimeout(this.#startDeadline);
    this.#state = "ended";
    const current = this.#current;
    if (current === null) return;
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    const outOfMemory = this.#spawned.hasCrossedMemory() || OUT_OF_MEMORY.test(this.#stderr);
    const gone: SandboxOutcome = outOfMemory
      ? { outcome: "memory", message: "The tool needed more memory than it may use." }
      : { outcome: "crashed", message: `The sandbox process ended ${how} before the tool did.` };
    this.#current = null;
    const ownEnd = signal === "SIGKILL" ? "system" : "process";
    const verdict =
      this.#judgement === null
        ? current.supervised.end(gone, ownEnd)
        : current.supervised.end(this.#judgement, "worker");
    this.diedUnheard = verdict.outcome === "crashed" && current.supervised.isSilent;
    current.resolve(verdict);
  }
}

const isBreach = ({ outcome }: ProcessVerdict): boolean =>
  outcome === "cpu" || outcome === "wall" || outcome === "memory" || outcome === "crashed";
