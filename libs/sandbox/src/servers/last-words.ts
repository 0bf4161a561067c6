import type { Readable } from "node:stream";

const WORDS_BYTES_MAX = 4_096;
/** After so many bytes nothing is read for a moment: one who floods waits, and costs the worker next to nothing. */
const READ_BYTES_MAX = 64 * 1024;
const PAUSE_MS = 100;

/** Drains a process's standard error, and keeps the end of it. */
export class LastWords {
  /** Resolves when nobody can say any more. */
  readonly ended: Promise<void>;
  readonly #stream: Readable;
  #tail: Buffer = Buffer.alloc(0);
  #read = 0;
  #isLast = false;
  #pause: NodeJS.Timeout | undefined;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.on("data", (chunk: Buffer) => this.#add(chunk));
    this.ended = new Promise((resolve) => {
      // A broken pipe ends what is said as well as its end does.
      stream.on("error", () => stream.destroy()).once("close", resolve);
    });
  }

  /** At most 4 KiB of UTF-8; what is cut in two or is none shows as U+FFFD. */
  get text(): string {
    return this.#tail.toString("utf8");
  }

  /** Its process has ended: what is left is read without a pause. */
  finish(): void {
    this.#isLast = true;
    clearTimeout(this.#pause);
    this.#stream.resume();
  }

  #add(chunk: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-WORDS_BYTES_MAX)]).subarray(-WORDS_BYTES_MAX);
    this.#read += chunk.length;
    if (this.#isLast || this.#read < READ_BYTES_MAX) return;
    this.#read = 0;
    this.#stream.pause();
    this.#pause = setTimeout(() => this.#stream.resume(), PAUSE_MS);
  }
}
