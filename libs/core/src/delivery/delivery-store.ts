import type { Delivery, DeliveryKey, WebhookGenerations } from "./delivery.ts";
import type { Callback, ExecutionKey } from "../execution/execution.ts";

/** A delivery that one worker may try now. */
export interface ClaimedDelivery extends DeliveryKey, Callback {
  /** Counts the tries, this one included; the fencing token of this one. */
  tryNumber: number;
  /** Generations of the tenant's secret that sign now, the current one first. */
  generations: number[];
  /** The execution's trace, as in `NewExecution`. */
  traceparent: string | null;
}

/** The bounds of one round over the tenants. */
export interface DeliveryRound {
  /** Begins behind this tenant; null: with the first. */
  after: string | null;
  /** How many there may be in all. */
  countMax: number;
  /** How many of one tenant, those of `busy` included. */
  tenantMax: number;
  /** How many this worker is trying already, by tenant. */
  busy: ReadonlyMap<string, number>;
  /** A claim that isn't answered for so long is lost, and the delivery is due again. */
  leaseMs: number;
}

/** How a try ended, and what follows. */
export interface DeliveryOutcome {
  status: number | null;
  error: string | null;
  /** As in `DeliveryTry`. */
  location: string | null;
  ms: number;
  /** `retry`: again in `delayMs`, or `failed` where that is past its `DELIVERY_HOURS_MAX`. */
  verdict: { next: "delivered" } | { next: "failed" } | { next: "retry"; delayMs: number };
}

/**
 * Deliveries that wait or have ended. The first of an execution is created in the transaction that ends an execution with
 * a callback, whatever ends it; deliveries are deleted with their execution.
 */
export interface DeliveryStore {
  /**
   * Claims due deliveries, tenant by tenant, so that no backlog hides another tenant's. Several may claim at once; each
   * try is claimed by one. `next` is the start of the next round: null if this one has seen every tenant.
   */
  claim(round: DeliveryRound): Promise<{ claimed: ClaimedDelivery[]; next: string | null }>;
  /** False when the try was lost meanwhile: then nothing is written. */
  record(claimed: ClaimedDelivery, outcome: DeliveryOutcome): Promise<boolean>;
  /** Oldest first. */
  list(key: ExecutionKey): Promise<Delivery[]>;
  /** A new delivery of the same event to the same place, due at once; null when there is none like it. Throws `delivery.too_many`. */
  redeliver(key: DeliveryKey): Promise<Delivery | null>;
}

/** Tells which generations of its secret a tenant has; the secrets themselves are derived and stored nowhere. */
export interface WebhookSecretStore {
  /** Null for no such tenant. */
  read(tenantId: string): Promise<WebhookGenerations | null>;
  /** The next generation; the one before goes on signing for a day. Null for no such tenant. */
  rotate(tenantId: string): Promise<WebhookGenerations | null>;
}
