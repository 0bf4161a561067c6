/** The chunks of a stream that nobody has read yet, in order. */
export class ChunkQueue {
  #chunks: { chunk: unknown; size: number }[] = [];
  #size = 0;

  /** Of all of them together, by the measure of the stream's strategy. */
  get size(): number {
    return this.#size;
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0;
  }

  add(chunk: unknown, size: number): void {
    this.#chunks.push({ chunk, size });
    this.#size += size;
  }

  /** The oldest; undefined where there is none, since a chunk itself may be anything. */
  take(): { chunk: unknown } | undefined {
    const next = this.#chunks.shift();
    if (next) this.#size -= next.size;
    return next;
  }

  clear(): void {
    this.#chunks = [];
    this.#size = 0;
  }
}
