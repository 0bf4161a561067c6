import { Refusal } from "./refusal.ts";

/** Refused places that one run may ask for; they are not requests, but each may cost a look-up. */
const REFUSED_MAX = 50;

/** Counts a run's requests and its refused ones. */
export class RequestBudget {
  readonly #sentMax: number;
  #sent = 0;
  #refused = 0;

  constructor(sentMax: number) {
    this.#sentMax = sentMax;
  }

  get sent(): number {
    return this.#sent;
  }

  get left(): number {
    return this.#sentMax - this.#sent;
  }

  /** Counts what others have sent for the run. */
  charge(sent: number): void {
    this.#sent = Math.min(this.#sentMax, this.#sent + sent);
  }

  /** Reserves one request for as long as `check` takes, so that overlapping requests can't pass the limit together; a check that throws gives it back. */
  async reserve<T>(check: () => Promise<T>): Promise<T> {
    if (this.#sent >= this.#sentMax)
      throw new Refusal("network_limit", `the run's limit of ${this.#sentMax} requests is reached`);
    if (this.#refused >= REFUSED_MAX)
      throw new Refusal("network_limit", `the run asked ${REFUSED_MAX} times for places that it can't reach`);
    this.#sent += 1;
    try {
      return await check();
    } catch (error) {
      this.#sent -= 1;
      this.#refused += 1;
      throw error;
    }
  }
}
