import { createdAtOf, type Admission, type AttemptKey } from "@bulkhead/core";

export const nameOf = ({ executionId, attempt }: AttemptKey): string => `${executionId}-${attempt}`;

/** An attempt that waits for its turn. */
export interface Waiting {
  name: string;
  attempt: AttemptKey;
  priority: number;
  /** The moment by which it waits: of its execution's submission, or when a first attempt that was asked for later was due. */
  place: number;
  tool: Admission["tool"];
}

/** Where an attempt waits that joins the order now; never behind what is submitted later than now. */
export const placeOf = ({ executionId }: AttemptKey, now: number): number =>
  Math.min(createdAtOf(executionId).getTime(), now);

const isBefore = (a: Waiting, b: Waiting): boolean =>
  a.priority > b.priority ||
  (a.priority === b.priority && (a.place < b.place || (a.place === b.place && a.name < b.name)));

/** In the order of turns within a tenant: priority 9 first, then as their executions were submitted. */
export class WaitingLine {
  readonly #items: Waiting[] = [];

  get size(): number {
    return this.#items.length;
  }

  get all(): readonly Waiting[] {
    return this.#items;
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
