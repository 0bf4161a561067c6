import { availableParallelism } from "node:os";
import { AdaptiveSlots } from "./adaptive-slots.ts";

/** How often the number of slots is fitted to the idle share of the processors. Milliseconds. */
const FIT_MS = 250;
/** A run that has gone on for so long takes no short one's slot. Milliseconds. */
const LASTING_MS = 500;
/** Slots that are offered however busy the processors are: two for each keep it busy while runs wait for the stores. */
const slotsMin = (): number => 2 + 2 * availableParallelism();

export interface SlotFitterInput {
  /** Slots at most. */
  concurrency: number;
  /** The share of the machine, from 0 to 1, that was idle since the last call. */
  headroom: () => number;
  onChange: (slots: number) => void;
}

/** Fits a worker's slots to the idle share of its machine, again and again. */
export class SlotFitter {
  readonly #input: SlotFitterInput;
  readonly #adaptive: AdaptiveSlots;
  readonly #timer: NodeJS.Timeout;
  readonly #runs = new Set<{ startedAt: number }>();
  #slots: number;

  constructor(input: SlotFitterInput) {
    this.#input = input;
    this.#slots = input.concurrency;
    this.#adaptive = new AdaptiveSlots({ max: input.concurrency, min: slotsMin() });
    this.#timer = setInterval(() => this.#fit(), FIT_MS);
  }

  /** A run begins; call the returned function when it has ended. */
  begin(): () => void {
    const run = { startedAt: performance.now() };
    this.#runs.add(run);
    return () => void this.#runs.delete(run);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #fit(): void {
    const lastingSince = performance.now() - LASTING_MS;
    let lasting = 0;
    for (const { startedAt } of this.#runs) if (startedAt <= lastingSince) lasting++;
    const slots = this.#adaptive.look(this.#input.headroom(), lasting);
    if (slots === this.#slots) return;
    this.#slots = slots;
    this.#input.onChange(slots);
  }
}
