/** The leases and bounds that the product's dispatcher has; milliseconds. */
export interface DispatcherTimes {
  handedOutMs: number;
  runningMs: number;
  reservedMs: number;
}
export const TIMES: Readonly<DispatcherTimes> = {
  handedOutMs: 60_000,
  runningMs: 30_000,
  reservedMs: 15_000,
};
