import { ChunkQueue } from "./chunk-queue.ts";
import type { StreamController, UnderlyingSource } from "./underlying-source.ts";

export type ReadResult = { done: false; value: unknown } | { done: true; value: undefined };

interface Reading {
  requests: PromiseWithResolvers<ReadResult>[];
  closed: PromiseWithResolvers<undefined>;
}

/** A stream's state and queue, behind what the tool holds of it: stream, reader and controller. */
export class StreamCore {
  state: "readable" | "closed" | "errored" = "readable";
  error: unknown = undefined;
  /** Something was read or cancelled. */
  disturbed = false;
  reading: Reading | null = null;
  readonly #source: UnderlyingSource;
  readonly #highWaterMark: number;
  readonly #sizeOf: (chunk: unknown) => number;
  #controller: StreamController | null = null;
  readonly #queue = new ChunkQueue();
  #started = false;
  #closing = false;
  #pulling = false;
  #pullAgain = false;

  constructor(source: UnderlyingSource, highWaterMark: number, sizeOf: (chunk: unknown) => number) {
    this.#source = source;
    this.#highWaterMark = highWaterMark;
    this.#sizeOf = sizeOf;
  }

  /** Throws what the source's start throws. */
  start(controller: StreamController): void {
    this.#controller = controller;
    const started = this.#source.start?.(controller);
    Promise.resolve(started).then(
      () => {
        this.#started = true;
        this.#pull();
      },
      (reason: unknown) => this.fail(reason),
    );
  }

  get desiredSize(): number | null {
    if (this.state === "errored") return null;
    return this.state === "closed" ? 0 : this.#highWaterMark - this.#queue.size;
  }

  enqueue(chunk: unknown): void {
    if (this.#closing || this.state !== "readable") throw new TypeError("the stream takes no more chunks");
    const request = this.reading?.requests.shift();
    if (request) request.resolve({ done: false, value: chunk });
    else this.#queue.add(chunk, this.#measure(chunk));
    this.#pull();
  }

  close(): void {
    if (this.#closing || this.state !== "readable") throw new TypeError("the stream is closed already");
    this.#closing = true;
    if (this.#queue.isEmpty) this.#finish();
  }

  fail(reason: unknown): void {
    if (this.state !== "readable") return;
    this.state = "errored";
    this.error = reason;
    this.#queue.clear();
    this.reading?.closed.reject(reason);
    for (const request of this.reading?.requests.splice(0) ?? []) request.reject(reason);
  }

  read(): Promise<ReadResult> {
    this.disturbed = true;
    const next = this.#queue.take();
    if (next) {
      if (this.#closing && this.#queue.isEmpty) this.#finish();
      else this.#pull();
      return Promise.resolve({ done: false, value: next.chunk });
    }
    if (this.state === "closed") return Promise.resolve({ done: true, value: undefined });
    if (this.state === "errored") return Promise.reject(this.error);
    const request = Promise.withResolvers<ReadResult>();
    this.reading?.requests.push(request);
    this.#pull();
    return request.promise;
  }

  async cancel(reason: unknown): Promise<undefined> {
    this.disturbed = true;
    if (this.state === "closed") return undefined;
    if (this.state === "errored") throw this.error;
    this.#queue.clear();
    this.#finish();
    await this.#source.cancel?.(reason);
    return undefined;
  }

  #finish(): void {
    this.state = "closed";
    this.reading?.closed.resolve(undefined);
    for (const request of this.reading?.requests.splice(0) ?? [])
      request.resolve({ done: true, value: undefined });
  }

  #measure(chunk: unknown): number {
    try {
      const size = this.#sizeOf(chunk);
      if (size >= 0 && size < Infinity) return size;
      throw new RangeError("the size of a chunk must be a number of 0 or more");
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /** Asks the source for more where somebody waits or there is room; one question at a time. */
  #pull(): void {
    const controller = this.#controller;
    const isWanted = (this.reading?.requests.length ?? 0) > 0 || (this.desiredSize ?? 0) > 0;
    if (!this.#started || !controller || this.#closing || this.state !== "readable" || !isWanted) return;
    if (this.#pulling) {
      this.#pullAgain = true;
      return;
    }
    this.#pulling = true;
    void this.#ask(controller);
  }

  async #ask(controller: StreamController): Promise<void> {
    try {
      await this.#source.pull?.(controller);
      this.#pulling = false;
      if (this.#pullAgain) {
        this.#pullAgain = false;
        this.#pull();
      }
    } catch (error) {
      this.fail(error);
    }
  }
}
