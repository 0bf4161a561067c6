import { Refusal } from "./refusal.ts";

/** Bytes that one run may still use in one direction, shared by its requests. */
export class ByteBudget {
  readonly bytesMax: number;
  #left: number;
  readonly #what: string;

  /** `what` completes "the run's limit of … bytes ". */
  constructor(bytesMax: number, what: string) {
    this.bytesMax = bytesMax;
    this.#left = bytesMax;
    this.#what = what;
  }

  /** At most `bytesMax`, even if more was requested. */
  get taken(): number {
    return this.bytesMax - Math.max(0, this.#left);
  }

  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Counts what others have used up for the run. */
  charge(bytes: number): void {
    this.#left -= Math.min(bytes, this.left);
  }

  /** Throws `network_limit` when fewer are left, and takes those: the limit stays reached. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0)
      throw new Refusal(
        "network_limit",
        `the run's limit of ${this.bytesMax} bytes ${this.#what} is reached`,
      );
  }
}
