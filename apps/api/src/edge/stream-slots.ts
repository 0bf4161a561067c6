import { Fault } from "@bulkhead/core";

/**
 * Streams of executions that a tenant may have open in one API process. Each costs a socket and some buffers, so that
 * one tenant's can't use up the process; honest ones are as many as its executions that someone watches.
 */
export const EXECUTION_STREAMS_MAX = 5_000;
/** A reader that found no slot may ask again after this. */
const NO_ROOM_RETRY_SECONDS = 15;

/** Counts the streams that each tenant has open in this process, and bounds them. */
export class StreamSlots {
  readonly #max: number;
  readonly #taken = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns the function that gives the slot back, once however often it is called; null when the tenant has none left. */
  take(tenantId: string): (() => void) | null {
    const taken = this.#taken.get(tenantId) ?? 0;
    if (taken >= this.#max) return null;
    this.#taken.set(tenantId, taken + 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(tenantId);
      isHeld = false;
    };
  }

  /** Holds a slot until `work` is done; `events.too_many_streams`, before it begins, when the tenant has none left. */
  async holding<Done>(tenantId: string, work: () => Promise<Done>): Promise<Done> {
    const giveBack = this.take(tenantId);
    if (!giveBack)
      throw new Fault("events.too_many_streams", {
        detail: `A tenant may have ${this.#max} such streams open here at once; close some, or share one.`,
        retryAfterSeconds: NO_ROOM_RETRY_SECONDS,
      });
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  #giveBack(tenantId: string): void {
    const left = (this.#taken.get(tenantId) ?? 0) - 1;
    if (left > 0) this.#taken.set(tenantId, left);
    else this.#taken.delete(tenantId);
  }
}
