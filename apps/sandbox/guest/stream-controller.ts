import type { StreamCore } from "./stream-core.ts";
import type { StreamController } from "./underlying-source.ts";

/** What a tool's own source is handed: the standard's class, which is no global. */
export class ReadableStreamDefaultController implements StreamController {
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
