import { nameClass } from "./name-class.ts";
import { ReadableStreamDefaultController } from "./stream-controller.ts";
import { StreamCore, type ReadResult } from "./stream-core.ts";
import { teeSources } from "./tee-sources.ts";
import { bindSource, iterableSource, type UnderlyingSource } from "./underlying-source.ts";

interface Strategy {
  highWaterMark?: unknown;
  size?: (chunk: unknown) => number;
}

let coreOf: (stream: ReadableStream) => StreamCore;

/** The standard's stream, its reading side: default readers, `tee`, `cancel` and `for await`. */
export class ReadableStream implements AsyncIterable<unknown> {
  readonly #core: StreamCore;

  static {
    nameClass(this, "ReadableStream");
    coreOf = (stream) => stream.#core;
  }

  constructor(source: UnderlyingSource | null = {}, { highWaterMark = 1, size }: Strategy = {}) {
    const mark = Number(highWaterMark);
    if (!(mark >= 0)) throw new RangeError("highWaterMark must be a number of 0 or more");
    this.#core = new StreamCore(bindSource(source), mark, size ?? (() => 1));
    this.#core.start(new ReadableStreamDefaultController(this.#core));
  }

  static from(iterable: AsyncIterable<unknown> | Iterable<unknown>): ReadableStream {
    return new ReadableStream(iterableSource(iterable), { highWaterMark: 0 });
  }

  get locked(): boolean {
    return this.#core.reading !== null;
  }

  async cancel(reason?: unknown): Promise<undefined> {
    if (this.locked) throw new TypeError("the stream is locked to a reader");
    return this.#core.cancel(reason);
  }

  getReader(options: { mode?: unknown } = {}): ReadableStreamDefaultReader {
    if (options.mode !== undefined) throw new TypeError("only default readers are supported");
    return new ReadableStreamDefaultReader(this);
  }

  tee(): [ReadableStream, ReadableStream] {
    return teeStream(this, (chunk) => chunk);
  }

  async *values({ preventCancel = false }: { preventCancel?: boolean } = {}): AsyncGenerator {
    const reader = this.getReader();
    let ended = false;
    try {
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          ended = true;
          throw error;
        });
        ended = done;
        if (done) return;
        yield value;
      }
    } finally {
      const cancelled = ended || preventCancel ? undefined : reader.cancel();
      reader.releaseLock();
      await cancelled;
    }
  }
  [Symbol.asyncIterator](options?: { preventCancel?: boolean }): AsyncGenerator {
    return this.values(options);
  }
  get [Symbol.toStringTag](): string {
    return "ReadableStream";
  }
}

class ReadableStreamDefaultReader {
  #core: StreamCore | null;
  #closed: Promise<undefined>;

  constructor(stream: ReadableStream) {
    const core = coreOf(stream);
    if (core.reading) throw new TypeError("the stream is locked to a reader");
    const closed = Promise.withResolvers<undefined>();
    // Nobody has to look at it.
    closed.promise.catch(() => undefined);
    if (core.state === "closed") closed.resolve(undefined);
    if (core.state === "errored") closed.reject(core.error);
    core.reading = { requests: [], closed };
    this.#core = core;
    this.#closed = closed.promise;
  }

  get closed(): Promise<undefined> {
    return this.#closed;
  }
  async read(): Promise<ReadResult> {
    return this.#own().read();
  }
  async cancel(reason?: unknown): Promise<undefined> {
    return this.#own().cancel(reason);
  }
  releaseLock(): void {
    const reading = this.#core?.reading;
    if (!this.#core || !reading) return;
    const released = new TypeError("the reader was released");
    for (const request of reading.requests.splice(0)) request.reject(released);
    reading.closed.reject(released);
    this.#closed = Promise.reject(released);
    this.#closed.catch(() => undefined);
    this.#core.reading = null;
    this.#core = null;
  }
  #own(): StreamCore {
    if (!this.#core) throw new TypeError("the reader was released");
    return this.#core;
  }
}

/** Whether something was read of it, or it was cancelled. */
export const isDisturbed = (stream: ReadableStream): boolean => coreOf(stream).disturbed;

/** Two streams of the same chunks; `copy` makes the second one's. The faster reader sets the pace, the other's chunks wait. */
export function teeStream(
  stream: ReadableStream,
  copy: (chunk: unknown) => unknown,
): [ReadableStream, ReadableStream] {
  const [first, second] = teeSources(stream.getReader(), copy);
  return [new ReadableStream(first, { highWaterMark: 0 }), new ReadableStream(second, { highWaterMark: 0 })];
}
