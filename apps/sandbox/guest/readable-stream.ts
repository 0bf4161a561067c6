import { nameClass } from "./name-class.ts";
import { StreamCore, type ReadResult, type StreamController, type UnderlyingSource } from "./stream-core.ts";

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
    const { start, pull, cancel } = source ?? {};
    const bound: UnderlyingSource = {
      ...(start === undefined ? {} : { start: start.bind(source) }),
      ...(pull === undefined ? {} : { pull: pull.bind(source) }),
      ...(cancel === undefined ? {} : { cancel: cancel.bind(source) }),
    };
    this.#core = new StreamCore(bound, mark, size ?? (() => 1));
    this.#core.start(new ReadableStreamDefaultController(this.#core));
  }

  static from(iterable: AsyncIterable<unknown> | Iterable<unknown>): ReadableStream {
    const items = (async function* () {
      yield* iterable;
    })();
    const pull = async (controller: StreamController): Promise<void> => {
      const { done, value } = await items.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    };
    return new ReadableStream({ pull, cancel: () => items.return() }, { highWaterMark: 0 });
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

class ReadableStreamDefaultController implements StreamController {
  readonly #core: StreamCore;
  constructor(core: StreamCore) {
    this.#core = core;
  }
  get desiredSize(): number | null {
    return this.#core.desiredSize;
  }
  enqueue(chunk?: unknown): void {
    this.#core.enqueue(chunk);
  }
  close(): void {
    this.#core.close();
  }
  error(reason?: unknown): void {
    this.#core.fail(reason);
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
  const reader = stream.getReader();
  const branches: { controller: StreamController; copy: (chunk: unknown) => unknown; isOpen: boolean }[] = [];
  const cancelled = Promise.withResolvers<undefined>();
  const reasons: unknown[] = [];
  let pulling: Promise<void> | null = null;
  const pullOnce = async (): Promise<void> => {
    try {
      const { done, value } = await reader.read();
      for (const branch of branches.filter(({ isOpen }) => isOpen))
        if (done) branch.controller.close();
        else branch.controller.enqueue(branch.copy(value));
      if (done) cancelled.resolve(undefined);
    } catch (error) {
      for (const { controller } of branches) controller.error(error);
      cancelled.resolve(undefined);
    } finally {
      pulling = null;
    }
  };
  const cancel = (at: number, reason: unknown): Promise<undefined> => {
    const branch = branches[at];
    if (branch) branch.isOpen = false;
    reasons[at] = reason;
    if (branches.every(({ isOpen }) => !isOpen)) cancelled.resolve(reader.cancel(reasons));
    return cancelled.promise;
  };
  const open = (at: number, copyChunk: (chunk: unknown) => unknown): ReadableStream =>
    new ReadableStream(
      {
        start: (controller) => void (branches[at] = { controller, copy: copyChunk, isOpen: true }),
        pull: () => (pulling ??= pullOnce()),
        cancel: (reason) => cancel(at, reason),
      },
      { highWaterMark: 0 },
    );
  return [open(0, (chunk) => chunk), open(1, copy)];
}
