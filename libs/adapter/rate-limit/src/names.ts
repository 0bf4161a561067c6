import type { RateKey } from "@bulkhead/domain";

/** Takes of one tenant that one step does; bounds for how long it holds up Redis. */
export const STEP_SIZE_MAX = 200;
/** What a caller whom Redis failed is told to wait; seconds. */
export const UNAVAILABLE_RETRY_SECONDS = 1;

/** The hash tag keeps the rates of one tenant on one node of a cluster. */
export const rateKeyName = ({ tenantId, name }: RateKey): string => `bh:rate:{${tenantId}}:${name}`;
