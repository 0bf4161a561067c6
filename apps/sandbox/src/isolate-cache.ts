import { ISOLATES_MAX } from "./bounds.ts";
import type { WarmIsolate } from "./warm-isolate.ts";

/** The isolates of one process by key; the least recently used one goes when there are too many. */
export class IsolateCache {
  readonly #byKey = new Map<string, WarmIsolate>();
  readonly #create: (memoryMib: number) => WarmIsolate;
  /** Made before the first run told what it needs; taken by the first that fits. */
  #blank: WarmIsolate | null = null;

  constructor(create: (memoryMib: number) => WarmIsolate) {
    this.#create = create;
  }

  /** Makes an isolate that waits for its tool. */
  warmUp(memoryMib: number): WarmIsolate {
    this.#blank = this.#create(memoryMib);
    return this.#blank;
  }

  take(key: string, memoryMib: number): WarmIsolate {
    const known = this.#byKey.get(key);
    this.#byKey.delete(key);
    const usable = known !== undefined && !known.isDisposed && known.memoryMib === memoryMib;
    if (!usable) known?.dispose();
    const isolate = usable ? known : this.#make(memoryMib);
    this.#byKey.set(key, isolate);
    this.#shrink();
    return isolate;
  }

  #make(memoryMib: number): WarmIsolate {
    const blank = this.#blank;
    if (blank?.memoryMib !== memoryMib) return this.#create(memoryMib);
    this.#blank = null;
    return blank;
  }

  #shrink(): void {
    for (const [key, isolate] of this.#byKey) {
      if (this.#byKey.size <= ISOLATES_MAX) return;
      this.#byKey.delete(key);
      isolate.dispose();
    }
  }
}
