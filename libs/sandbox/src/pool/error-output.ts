const BYTES_MAX = 64 * 1024;
const TAIL_CHARS = 2_048;
const OUT_OF_MEMORY = /out of memory|invalid (table|array|string) (size|length)|allocation failed/i;

/** Reads a process's standard error, which a sound one hardly uses: V8's last words, and nothing of a tool's. */
export class ErrorOutput {
  #bytes = 0;
  #tail = "";

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#tail = (this.#tail + chunk.toString("latin1")).slice(-TAIL_CHARS);
  }

  get tail(): string {
    return this.#tail;
  }

  /** It has written more than any process of ours would. */
  get floods(): boolean {
    return this.#bytes > BYTES_MAX;
  }

  /** V8 says that it died for want of memory. */
  get tellsOutOfMemory(): boolean {
    return OUT_OF_MEMORY.test(this.#tail);
  }
}
