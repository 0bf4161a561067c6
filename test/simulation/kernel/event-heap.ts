/** What is to happen at a moment. Cancelled ones stay in the heap and are skipped. */
export interface Happening {
  at: number;
  /** Decides among those of one moment. */
  tie: number;
  fire: (() => void) | null;
}

const before = (a: Happening, b: Happening): boolean => a.at < b.at || (a.at === b.at && a.tie < b.tie);

/** A binary heap, earliest first. */
export class EventHeap {
  readonly #items: Happening[] = [];

  get size(): number {
    return this.#items.length;
  }

  push(item: Happening): void {
    const items = this.#items;
    let place = items.push(item) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !before(item, above)) break;
      items[place] = above;
      place = parent;
    }
    items[place] = item;
  }

  pop(): Happening | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      let least = items[child];
      if (least === undefined) break;
      const right = items[child + 1];
      if (right !== undefined && before(right, least)) {
        least = right;
        child += 1;
      }
      if (!before(least, last)) break;
      items[place] = least;
      place = child;
    }
    items[place] = last;
    return first;
  }
}
