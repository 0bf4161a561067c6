import { WIRE_VERSION } from "../wire/bounds.ts";
import { encodeMessage } from "./encode-messages.ts";
import { ErrorOutput } from "./error-output.ts";
import { FrameConnection, type FrameListener } from "./frame-connection.ts";
import type { PoolSettings } from "./options.ts";
import type { ProcessExit } from "./process-end.ts";
import type { SpawnedSandbox } from "./spawn-sandbox.ts";

/** A start deadline that is so late was not merely kept waiting by a busy processor. */
const PAUSE_MS_MIN = 1_000;

/** A listener to what a child does. */
export interface ChildListener extends FrameListener {
  /** It is gone. */
  closed(exit: ProcessExit): void;
}

/** The operating system's process: its start, what it writes, and its end. */
export class SandboxChild {
  /** Resolves when nothing of it is left; the listener was told before. */
  readonly ended: Promise<void>;
  readonly #spawned: SpawnedSandbox;
  readonly #listener: ChildListener;
  readonly #connection: FrameConnection;
  #startDeadline: NodeJS.Timeout | undefined;
  readonly #errorOutput = new ErrorOutput();

  constructor(spawned: SpawnedSandbox, listener: ChildListener) {
    this.#spawned = spawned;
    this.#listener = listener;
    this.#connection = new FrameConnection(spawned.connection, listener);
    spawned.child.stderr?.on("data", (chunk: Buffer) => this.#readErrorOutput(chunk));
    this.ended = this.#untilClosed();
  }

  /** -1 where it could not be started. */
  get pid(): number {
    return this.#spawned.child.pid ?? -1;
  }

  /** The end of what it wrote to standard error. */
  get lastWords(): string {
    return this.#errorOutput.tail;
  }

  /** The kernel ended it for its memory, or V8 said that it died of it; for one that is gone. */
  get diedOfMemory(): boolean {
    return this.#spawned.hasCrossedMemory() || this.#errorOutput.tellsOutOfMemory;
  }

  get connection(): Pick<FrameConnection, "write" | "expectRun"> {
    return this.#connection;
  }

  /** Asks it whether it is there; it is lost where nobody has said `started` in time after `startedAt`. */
  start(settings: PoolSettings, startedAt: number): void {
    const { startMsMax } = settings;
    const onMissed = (): void => this.#listener.lost();
    this.#startDeadline = setTimeout(() => {
      // A timer that is late itself tells of a paused worker: the greeting may wait to be read, and gets the time once more.
      const lateMs = performance.now() - startedAt - startMsMax;
      if (lateMs < PAUSE_MS_MIN) onMissed();
      else this.#startDeadline = setTimeout(onMissed, startMsMax);
    }, startMsMax);
    void this.#greet(settings);
  }

  /** It has greeted. */
  started(): void {
    clearTimeout(this.#startDeadline);
  }

  kill(): void {
    this.#spawned.child.kill("SIGKILL");
  }

  /** Sends the program, where it comes by the wire, and the worker's greeting. Never rejects. */
  async #greet({ program, warmMemoryMib }: PoolSettings): Promise<void> {
    try {
      const bundle = await program.bundle?.(this.#spawned.nodeSnapshot);
      if (!(await this.#spawned.enclosed)) return this.#listener.lost();
      for (const frame of bundle === undefined ? [] : [bundle.program, bundle.guest])
        this.#connection.write(frame);
      this.#connection.write(encodeMessage({ type: "hello", version: WIRE_VERSION, warmMemoryMib }));
    } catch {
      // A start that fails is counted and told by the fleet, whatever it failed of.
      this.#listener.lost();
    }
  }

  #readErrorOutput(chunk: Buffer): void {
    this.#errorOutput.add(chunk);
    if (this.#errorOutput.floods) this.#listener.broke("it floods");
  }

  #untilClosed(): Promise<void> {
    const { child, released } = this.#spawned;
    return new Promise((resolve) => {
      const close = (exit: ProcessExit): void => {
        clearTimeout(this.#startDeadline);
        this.#connection.hearAll();
        this.#listener.closed(exit);
        resolve(released);
      };
      child.once("close", (code, signal) => close({ code, signal }));
      child.once("error", () => close({ code: null, signal: null }));
    });
  }
}
