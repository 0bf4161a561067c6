import type { RateKey } from "@bulkhead/core";

/** Takes of one tenant that one step does; bounds for how long it holds up Redis. */
export const STEP_SIZE_MAX = 200;

/** Takers hear of a change for so long; longer than any process trusts its cache. Milliseconds. */
export const CHANGE_MARK_TTL_MS = 60_000;

/** The hash tag keeps the rates of one tenant on one node of a cluster. */
export const rateKeyName = ({ tenantId, name }: RateKey): string => `bh:rate:{${tenantId}}:${name}`;

export const changeMarkName = (tenantId: string): string => `bh:changed:{${tenantId}}`;
