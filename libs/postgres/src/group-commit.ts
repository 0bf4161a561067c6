import { FlushGap } from "./flush-gap.ts";

/** Tells how a batch goes on whose flush has failed. */
export type BatchFailure =
  /** It collided with another transaction: the same again may work. */
  | "contention"
  /** One of its items may be to blame: halves tell which. */
  | "item"
  /** None of its items can work now. */
  | "all";

export interface GroupCommitOptions<Item, Answer> {
  /** Commits the items in one transaction and answers them in their order. */
  flush: (items: Item[]) => Promise<Answer[]>;
  failureOf: (error: unknown) => BatchFailure;
  /** Makes of `flush`'s error the one that a caller meets. */
  toFault: (error: unknown) => Error;
  /** The error for a caller whose item found no free place or waited too long. */
  refusal: () => Error;
  /** The item's size; any unit, the same as in `weightMax`. */
  weigh: (item: Item) => number;
  bounds: GroupCommitBounds;
  /** Milliseconds of a clock that only moves forward. */
  now: () => number;
  /** Whether the processors have nothing to spare: then flushes wait for company. Never, unless given. */
  isSaturated?: (() => boolean) | undefined;
}

export interface GroupCommitBounds {
  /** Items of one flush. */
  itemsMax: number;
  /** Weight of one flush; a heavier item goes alone. */
  weightMax: number;
  /** Flushes under way at one time. */
  flightsMax: number;
  /** Items that may wait for their flush. */
  waitingMax: number;
  /** How long an item waits for its flush to start; more than this means that flushes no longer end in time. */
  waitMsMax: number;
}

interface Call<Item, Answer> {
  item: Item;
  weight: number;
  since: number;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** How often a batch is tried again after a collision. */
const CONTENTION_RETRIES_MAX = 3;

/**
 * Commits what arrives together in one go (natural batching): the first call goes at once, what arrives while a flush
 * is under way goes together with the next. A lone call waits for nobody; only many on a saturated machine wait some
 * milliseconds for each other (`FlushGap`). Every caller is answered after the commit of its own item; an item that can't
 * be committed fails its own caller only.
 */
export class GroupCommit<Item, Answer> {
  readonly #options: GroupCommitOptions<Item, Answer>;
  #waiting: Call<Item, Answer>[] = [];
  readonly #flights = new Set<Promise<void>>();
  #pumpIsDue = false;
  readonly #gap: FlushGap;
  #pumpsLater = false;
  #isDraining = false;

  constructor(options: GroupCommitOptions<Item, Answer>) {
    this.#options = options;
    this.#gap = new FlushGap(options.isSaturated ?? (() => false));
  }

  submit(item: Item): Promise<Answer> {
    const { bounds, weigh, now, refusal } = this.#options;
    if (this.#waiting.length >= bounds.waitingMax) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const since = now();
      this.#waiting.push({ item, weight: weigh(item), since, resolve, reject });
      this.#gap.arrived(since);
      this.#pumpSoon();
    });
  }

  /** Resolves once everything submitted so far and meanwhile has been answered. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#pump();
    while (this.#flights.size > 0) await Promise.all(this.#flights);
    this.#isDraining = false;
  }

  /** After the calls of the same moment, which then share the flush. */
  #pumpSoon(): void {
    if (this.#pumpIsDue) return;
    this.#pumpIsDue = true;
    queueMicrotask(() => {
      this.#pumpIsDue = false;
      this.#pump();
    });
  }

  #pump(): void {
    const { bounds, now } = this.#options;
    while (this.#waiting.length > 0 && this.#flights.size < bounds.flightsMax) {
      const restMs = this.#isDraining ? 0 : this.#gap.restMs(now(), this.#waiting.length);
      if (restMs > 0) return this.#pumpIn(restMs);
      const calls = this.#take();
      if (calls.length === 0) return;
      this.#gap.began(now());
      const flight = this.#commit(calls, CONTENTION_RETRIES_MAX).finally(() => {
        this.#flights.delete(flight);
        this.#pump();
      });
      this.#flights.add(flight);
    }
  }

  #pumpIn(ms: number): void {
    if (this.#pumpsLater) return;
    this.#pumpsLater = true;
    setTimeout(() => {
      this.#pumpsLater = false;
      this.#pump();
    }, ms);
  }

  /** The next batch, oldest first, within the bounds; refuses what has waited too long. */
  #take(): Call<Item, Answer>[] {
    const { bounds, now, refusal } = this.#options;
    const stale = now() - bounds.waitMsMax;
    const fresh = this.#waiting.findIndex((call) => call.since >= stale);
    const dropped = this.#waiting.splice(0, fresh === -1 ? this.#waiting.length : fresh);
    for (const call of dropped) call.reject(refusal());

    let weight = 0;
    let count = 0;
    for (const call of this.#waiting) {
      weight += call.weight;
      if (count === bounds.itemsMax || (count > 0 && weight > bounds.weightMax)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Never rejects: each call gets its answer or its error. */
  async #commit(calls: Call<Item, Answer>[], retries: number): Promise<void> {
    let answers: Answer[];
    try {
      answers = await this.#options.flush(calls.map((call) => call.item));
      if (answers.length !== calls.length)
        throw new Error(`${answers.length} answers to ${calls.length} calls`);
    } catch (error) {
      return this.#afterFailure(calls, error, retries);
    }
    for (const [index, answer] of answers.entries()) calls[index]?.resolve(answer);
  }

  async #afterFailure(calls: Call<Item, Answer>[], error: unknown, retries: number): Promise<void> {
    const failure = this.#options.failureOf(error);
    if (failure === "contention" && retries > 0) return this.#commit(calls, retries - 1);
    if (failure === "item" && calls.length > 1) {
      const middle = Math.ceil(calls.length / 2);
      await this.#commit(calls.slice(0, middle), retries);
      return this.#commit(calls.slice(middle), retries);
    }
    const fault = this.#options.toFault(error);
    for (const call of calls) call.reject(fault);
  }
}
