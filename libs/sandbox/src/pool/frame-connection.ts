import type { Duplex } from "node:stream";
import type { SandboxRun } from "@bulkhead/core";
import { loopTurns } from "@bulkhead/process";
import { FROM_SANDBOX_BYTES_MIN } from "../wire/bounds.ts";
import { FrameReader } from "../wire/frame-reader.ts";
import { fromSandboxBytesMax } from "../wire/frame-bound.ts";
import { WireError } from "../wire/wire-error.ts";
import type { FromSandbox } from "../wire/from-sandbox.ts";

/** A listener to a sandbox. */
export interface FrameListener {
  /** One message. Throws a WireError for what a sound sandbox would not say. */
  hear(message: FromSandbox): void;
  /** All of a chunk was sound; what was said in it counts. */
  heardAll(): void;
  /** It did what no sandbox of ours would: `how`, in words. */
  broke(how: string): void;
  /** Nothing can be said or heard any more; may be called more than once. */
  lost(): void;
}

/** A chunk of so many bytes is heard at once; a larger one, and what comes behind it, when its tenant's turn has come. */
const AT_ONCE_BYTES_MAX = 4 * 1024;

/** The one connection to a sandbox process. */
export class FrameConnection {
  readonly #connection: Duplex;
  readonly #listener: FrameListener;
  readonly #reader = new FrameReader(FROM_SANDBOX_BYTES_MIN);
  #tenantId = "";
  /** Chunks that are not heard yet, and the messages of the first one; none while all are heard. */
  #unheard: Buffer[] = [];
  #messages: Iterator<FromSandbox, void, undefined> | null = null;

  constructor(connection: Duplex, listener: FrameListener) {
    this.#connection = connection;
    this.#listener = listener;
    connection.on("data", (chunk: Buffer) => this.#read(chunk));
    // A write to a process that has just died; its end is judged when it is closed.
    connection.on("error", () => this.#lost());
    connection.on("end", () => this.#lost());
  }

  /** From now on frames may be as large as this run of the tenant's can make them. */
  expectRun(run: Pick<SandboxRun, "tenantId" | "limits" | "capabilities">): void {
    this.#tenantId = run.tenantId;
    this.#reader.payloadBytesMax = fromSandboxBytesMax(run);
  }

  /** To a process that is gone, it does nothing. */
  write(frame: Buffer): void {
    if (this.#connection.writable) this.#connection.write(frame);
  }

  /** Hears at once what waits for its turn: nothing more will come, and what was said counts. */
  hearAll(): void {
    while (this.#messages !== null) this.#hearNext();
  }

  #lost(): void {
    this.hearAll();
    this.#listener.lost();
  }

  #read(chunk: Buffer): void {
    if (this.#messages !== null) return void this.#unheard.push(chunk);
    this.#messages = this.#reader.push(chunk);
    if (chunk.length <= AT_ONCE_BYTES_MAX) return this.hearAll();
    // Its next bytes wait in its pipe meanwhile, which is short.
    this.#connection.pause();
    loopTurns.take(this.#tenantId, () => this.#takeTurn());
  }

  #takeTurn(): boolean {
    if (this.#messages !== null) this.#hearNext();
    if (this.#messages !== null) return true;
    this.#connection.resume();
    return false;
  }

  /** Hears one message, or that all of a chunk was sound. */
  #hearNext(): void {
    try {
      const next = this.#messages?.next();
      if (next?.done === false) return this.#listener.hear(next.value);
    } catch (error) {
      this.#messages = null;
      this.#unheard = [];
      if (!(error instanceof WireError)) throw error;
      return this.#listener.broke(error.message);
    }
    const chunk = this.#unheard.shift();
    this.#messages = chunk === undefined ? null : this.#reader.push(chunk);
    this.#listener.heardAll();
  }
}
