import { until } from "@bulkhead/testing";

/**
 * How long an API may go on with what it remembers of a key or a tenant that was changed through another one, when the word
 * of the change is lost or late; milliseconds.
 */
const REMEMBERED_MS_MAX = 5_000;
/** Of the project `many`, where the next request is another API's. */
const HAS_MANY_APIS = process.env["BULKHEAD_TEST_REDIS"] === "cluster";

/** Waits until this is so, whichever API is asked: with one API it is so at once. */
export const onEveryApi = (what: string, fact: () => Promise<boolean>): Promise<boolean> =>
  until(fact, { what, timeoutMs: HAS_MANY_APIS ? REMEMBERED_MS_MAX : 0 });
