import type { ClaimedDelivery, DeliveryStore } from "@bulkhead/core";
import type { Report } from "../end/report.ts";
import type { Tracing } from "@bulkhead/process/telemetry";
import { setTimeout as delay } from "node:timers/promises";
import { beginDelivery, endDelivery } from "./delivery-span.ts";
import { send, type SendDeps } from "./send.ts";

export interface CourierDeps extends SendDeps {
  deliveries: Pick<DeliveryStore, "claim" | "record">;
  tracing: Tracing;
  report: Report;
  bounds: CourierBounds;
}

/** Tries under way in this process. */
export interface CourierBounds {
  inAllMax: number;
  /** Tries of one tenant while less than half of all are under way; then 1, so that many dead endpoints leave slots too. */
  tenantMax: number;
}

/** At their largest bodies 256 tries hold 64 MiB. */
export const COURIER_BOUNDS: Readonly<CourierBounds> = { inAllMax: 256, tenantMax: 8 };
/** More than one try takes, its reads and writes included; a dead worker's are tried again then. Milliseconds. */
const LEASE_MS = 30_000;
/** Between a round that found nothing and one that is only asked for by a kick: so many times its own length, or more. */
const KICK_PAUSE_TIMES = 20;
const KICK_PAUSE_MS_MIN = 50;
/** The time that tries under way get when this process stops. Milliseconds. */
const CLOSE_GRACE_MS = 500;

/**
 * Takes what is due to where it is wanted, in rounds over the tenants, so that none of them waits for another's
 * endpoint.
 */
export class Courier {
  readonly #deps: CourierDeps;
  readonly #busy = new Map<string, number>();
  readonly #tries = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #after: string | null = null;
  #rounds: Promise<void> | null = null;
  #kicked = false;
  #timer: NodeJS.Timeout | undefined;
  #restsUntil = 0;
  #closed = false;

  constructor(deps: CourierDeps) {
    this.#deps = deps;
  }

  /** Something may be due: soon there is a round, one for any number of kicks. */
  kick(): void {
    this.#kicked = true;
    if (this.#closed || this.#rounds || this.#timer) return;
    const pauseMs = Math.max(0, this.#restsUntil - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.sweep().catch((error: unknown) => this.#deps.report("looking for deliveries failed", error));
    }, pauseMs);
  }

  /** Begins a try of all that is due, as far as slots are free. Rejects when the database can't be reached. */
  async sweep(): Promise<void> {
    if (this.#closed) return;
    this.#rounds ??= this.#goRound().finally(() => {
      this.#rounds = null;
      if (this.#kicked) this.kick();
    });
    await this.#rounds;
  }

  /** Begins nothing more; what is under way may end within the grace, else it is due again at once. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#rounds?.catch(() => undefined);
    const done = Promise.all(this.#tries);
    const grace = new AbortController();
    await Promise.race([done, delay(CLOSE_GRACE_MS, null, { signal: grace.signal }).catch(() => null)]);
    grace.abort();
    this.#stopping.abort();
    await done;
  }

  /** Until no tenant is left that was not looked at, or no slot is free. */
  async #goRound(): Promise<void> {
    // This round may miss the deliveries of a kick that comes from here on.
    this.#kicked = false;
    const start = performance.now();
    let found = 0;
    for (let isWhole = false; !isWhole && this.#slots > 0 && !this.#closed;) {
      const after: string | null = this.#after;
      const { claimed, next } = await this.#deps.deliveries.claim({
        after,
        countMax: this.#slots,
        tenantMax: this.#tenantMax,
        busy: this.#busy,
        leaseMs: LEASE_MS,
      });
      found += claimed.length;
      for (const one of claimed) this.#begin(one);
      this.#after = next;
      isWhole = after === null && next === null;
    }
    const end = performance.now();
    if (found === 0) this.#restsUntil = end + Math.max(KICK_PAUSE_MS_MIN, KICK_PAUSE_TIMES * (end - start));
  }

  get #slots(): number {
    return this.#deps.bounds.inAllMax - this.#tries.size;
  }

  get #tenantMax(): number {
    const { inAllMax, tenantMax } = this.#deps.bounds;
    return this.#tries.size < inAllMax / 2 ? tenantMax : 1;
  }

  #begin(claimed: ClaimedDelivery): void {
    const { tenantId } = claimed;
    this.#busy.set(tenantId, (this.#busy.get(tenantId) ?? 0) + 1);
    const one: Promise<void> = this.#try(claimed).finally(() => {
      // Others may have waited for its slot.
      const wasFull = this.#slots <= 0 || (this.#busy.get(tenantId) ?? 0) >= this.#tenantMax;
      this.#tries.delete(one);
      const left = (this.#busy.get(tenantId) ?? 0) - 1;
      if (left > 0) this.#busy.set(tenantId, left);
      else this.#busy.delete(tenantId);
      if (wasFull) this.kick();
    });
    this.#tries.add(one);
  }

  async #try(claimed: ClaimedDelivery): Promise<void> {
    const span = beginDelivery(this.#deps.tracing, claimed);
    const outcome = await send(this.#deps, claimed, this.#stopping.signal);
    await this.#deps.deliveries
      .record(claimed, outcome)
      .catch((error: unknown) =>
        this.#deps.report("recording a delivery failed; it will be tried again", error),
      );
    endDelivery(span, outcome);
  }
}
