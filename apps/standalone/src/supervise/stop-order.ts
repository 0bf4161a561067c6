interface Stoppable {
  stop(): Promise<void>;
}

export interface StopOrder {
  api: Stoppable | null;
  worker: Stoppable | null;
  /** In the order in which they were opened. */
  stores: readonly Stoppable[];
  sleep: (ms: number) => Promise<unknown>;
}

/** By then the API accepts nothing new; a caller that waits there for a result may still get it from the worker. */
const API_HEAD_START_MS = 250;

/**
 * Stops the API first, then the worker, then the stores they both write to. The worker does not wait for the API's end:
 * each may use its grace for running work, and both graces must fit into the one bound of the whole stop. A failed stop
 * does not keep the rest from stopping; all failures are thrown together.
 */
export async function stopInOrder({ api, worker, stores, sleep }: StopOrder): Promise<void> {
  const failures: unknown[] = [];
  const stop = async (what: Stoppable | null): Promise<void> => {
    await what?.stop().catch((cause: unknown) => failures.push(cause));
  };
  const apiStopped = stop(api);
  if (api !== null) await Promise.race([apiStopped, sleep(API_HEAD_START_MS)]);
  await Promise.all([apiStopped, stop(worker)]);
  await Promise.all(stores.map((store) => stop(store)));
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join("; "));
}
