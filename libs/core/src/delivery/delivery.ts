import type { ExecutionKey } from "../execution/execution.ts";

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Characters of a callback's URL, after parsing. */
export const CALLBACK_URL_CHARS_MAX = 2_048;
/** Tries that are kept on record for one delivery; the latest stay. A day's schedule has about a dozen. */
export const DELIVERY_TRIES_KEPT = 20;
/** Deliveries of one execution: the first, and those that were asked for again. */
export const DELIVERIES_MAX = 100;
/** For how long a delivery is tried again. */
export const DELIVERY_HOURS_MAX = 24;

/** Names one delivery; the first of an execution is 1. */
export interface DeliveryKey extends ExecutionKey {
  n: number;
}

/** One try: the answer's status, or why there was none. */
export interface DeliveryTry {
  at: Date;
  status: number | null;
  error: string | null;
  /** The target of the answer's redirect, which is not followed; null: there was none. */
  location: string | null;
  /** The time until the head of the answer; null if nobody was left to measure it. */
  ms: number | null;
}

/** The end of an execution on its way to the URL of its callback. */
export interface Delivery extends DeliveryKey {
  url: string;
  status: DeliveryStatus;
  /** Oldest first, the last `DELIVERY_TRIES_KEPT`. */
  tries: DeliveryTry[];
  /** Null while it is being tried, and once it has ended. */
  nextTryAt: Date | null;
}

/** The generations of a tenant's signing secret that are in use. */
export interface WebhookGenerations {
  /** The API shows this one, and its signature comes first. */
  current: number;
  /** Replaced ones that sign as well, the latest first. */
  retiring: { generation: number; signsUntil: Date }[];
}
