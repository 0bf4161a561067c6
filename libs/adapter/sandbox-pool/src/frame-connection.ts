import type { Duplex } from "node:stream";
import type { RunLimits } from "@bulkhead/domain";
import {
  FROM_SANDBOX_BYTES_MIN,
  FrameReader,
  fromSandboxBytesMax,
  WireError,
  type FromSandbox,
} from "@bulkhead/wire";

/** Who listens to a sandbox. */
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

/** The one connection to a sandbox process. */
export class FrameConnection {
  readonly #connection: Duplex;
  readonly #listener: FrameListener;
  readonly #reader = new FrameReader(FROM_SANDBOX_BYTES_MIN);

  constructor(connection: Duplex, listener: FrameListener) {
    this.#connection = connection;
    this.#listener = listener;
    connection.on("data", (chunk: Buffer) => this.#read(chunk));
    // A write to a process that has just died; its end is judged when it is closed.
    connection.on("error", () => listener.lost());
    connection.on("end", () => listener.lost());
  }

  /** From now on frames may be as large as a run with these limits can make them. */
  expectRun(limits: RunLimits): void {
    this.#reader.payloadBytesMax = fromSandboxBytesMax(limits);
  }

  /** To a process that is gone, it does nothing. */
  write(frame: Buffer): void {
    if (this.#connection.writable) this.#connection.write(frame);
  }

  #read(chunk: Buffer): void {
    try {
      for (const message of this.#reader.push(chunk)) this.#listener.hear(message);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return this.#listener.broke(error.message);
    }
    this.#listener.heardAll();
  }
}
