import { ISOLATES_MAX, TWINS_MAX } from "./bounds.ts";
import type { WarmIsolate } from "./warm-isolate.ts";

interface Kept {
  key: string;
  isolate: WarmIsolate;
}

/**
 * The isolates of one process by key; the least recently used one goes when there are too many. A key that is asked for
 * faster than contexts are made gets a twin: one makes its next context while the other runs.
 */
export class IsolateCache {
  /** In the order of use, the latest last. */
  #kept: Kept[] = [];
  readonly #create: (memoryMib: number) => WarmIsolate;
  /** Made before the first run's needs are known; taken by the first that fits. */
  #blank: WarmIsolate | null = null;

  constructor(create: (memoryMib: number) => WarmIsolate) {
    this.#create = create;
  }

  /** Makes an isolate that waits for its tool. */
  warmUp(memoryMib: number): WarmIsolate {
    this.#blank = this.#create(memoryMib);
    return this.#blank;
  }

  /** An isolate with a ready context before any other. */
  take(key: string, memoryMib: number): WarmIsolate {
    this.#drop(
      ({ isolate, key: own }) => isolate.isDisposed || (own === key && isolate.memoryMib !== memoryMib),
    );
    const own = this.#kept.filter((kept) => kept.key === key).map(({ isolate }) => isolate);
    const spare = own.length < TWINS_MAX ? undefined : own[0];
    const isolate = own.find(({ isReady }) => isReady) ?? spare ?? this.#make(memoryMib);
    this.#kept = [...this.#kept.filter((kept) => kept.isolate !== isolate), { key, isolate }];
    const tooMany = this.#kept.length - ISOLATES_MAX;
    this.#drop((_, index) => index < tooMany);
    return isolate;
  }

  #make(memoryMib: number): WarmIsolate {
    const blank = this.#blank;
    if (blank?.memoryMib !== memoryMib) return this.#create(memoryMib);
    this.#blank = null;
    return blank;
  }

  #drop(isGone: (kept: Kept, index: number) => boolean): void {
    const gone = this.#kept.filter(isGone);
    if (gone.length === 0) return;
    this.#kept = this.#kept.filter((kept) => !gone.includes(kept));
    for (const { isolate } of gone) isolate.dispose();
  }
}
