interface Gate {
  held: number;
  /** In the order in which they came; not empty only while all permits are held. */
  waiting: Set<() => void>;
}

/** Lets so many of each tenant hold something at once; the others wait for their turn in order. */
export class TenantPermits {
  readonly #max: number;
  readonly #gates = new Map<string, Gate>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Resolves with what gives the permit back, once however often it is called. Null when `signal` fires before the turn
   * has come; from then on it gives nothing back.
   */
  async take(tenantId: string, signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null;
    const gate = this.#gates.get(tenantId) ?? { held: 0, waiting: new Set() };
    this.#gates.set(tenantId, gate);
    if (gate.held < this.#max) gate.held += 1;
    else if (!(await itsTurn(gate, signal))) return null;
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(tenantId, gate);
      isHeld = false;
    };
  }

  #giveBack(tenantId: string, gate: Gate): void {
    const [next] = gate.waiting;
    // Handed over without being free in between, so that nobody who comes just now is faster.
    if (next) return next();
    gate.held -= 1;
    if (gate.held === 0) this.#gates.delete(tenantId);
  }
}

/** True with a permit that was handed over; false when the signal fired first. */
function itsTurn(gate: Gate, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const settle = (hasPermit: boolean): void => {
    gate.waiting.delete(take);
    signal.removeEventListener("abort", leave);
    resolve(hasPermit);
  };
  const take = (): void => settle(true);
  const leave = (): void => settle(false);
  gate.waiting.add(take);
  signal.addEventListener("abort", leave, { once: true });
  return promise;
}
