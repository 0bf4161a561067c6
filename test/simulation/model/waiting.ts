import type { Admission, AttemptKey } from "@bulkhead/domain";

export const nameOf = ({ executionId, attempt }: AttemptKey): string => `${executionId}-${attempt}`;

/** An attempt that waits for its turn. */
export interface Waiting {
  name: string;
  attempt: AttemptKey;
  priority: number;
  /** Given when it joins the order: at its admission, or when its delay is over. */
  sequence: number;
  tool: Admission["tool"];
}

const isBefore = (a: Waiting, b: Waiting): boolean =>
  a.priority > b.priority || (a.priority === b.priority && a.sequence < b.sequence);

/** In the order of turns within a tenant: priority 9 first, then as they came. */
export class WaitingLine {
  readonly #items: Waiting[] = [];

  get size(): number {
    return this.#items.length;
  }

  get first(): Waiting | undefined {
    return this.#items[0];
  }

  add(item: Waiting): void {
    const place = this.#items.findIndex((other) => isBefore(item, other));
    this.#items.splice(place < 0 ? this.#items.length : place, 0, item);
  }

  has(name: string): boolean {
    return this.#items.some((item) => item.name === name);
  }

  /** How many have at least this priority. */
  countFrom(priority: number): number {
    return this.#items.filter((item) => item.priority >= priority).length;
  }

  /** The item that was there, if any. */
  remove(name: string): Waiting | undefined {
    const place = this.#items.findIndex((item) => item.name === name);
    return place < 0 ? undefined : this.#items.splice(place, 1)[0];
  }
}
