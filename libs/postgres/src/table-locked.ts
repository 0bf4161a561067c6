import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "@bulkhead/core";

/** PostgreSQL's code for a lock that was not had within `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = "55P03";

/** Another session uses a table that has to change. Nothing of the change was made. */
export class TableLocked extends Error {
  override readonly name = "TableLocked";
  constructor(cause: unknown) {
    super("another session uses a table that has to change", { cause });
  }
}

/** How a migration waits for tables that others use; milliseconds. */
export interface LockPatience {
  /** For one lock. Whoever comes after the migration waits behind it for so long. */
  lockMsMax: number;
  /** Between two tries, in which those who waited behind it get their turn. */
  pauseMs: number;
  /** For all tries together; one that began within it goes on to its end. */
  totalMsMax: number;
}

/** Does `work`, which leaves nothing where it throws `TableLocked`, until it gets by; else throws `service.unavailable`. */
export async function untilUnlocked<T>(
  { pauseMs, totalMsMax }: LockPatience,
  log: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + totalMsMax;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TableLocked)) throw error;
      if (performance.now() + pauseMs >= giveUpAt)
        throw new Fault("service.unavailable", toldToEnd(totalMsMax, error));
      log(`${error.message}; gave way to it, trying again in ${pauseMs} ms`);
      await delay(pauseMs);
    }
  }
}

const toldToEnd = (totalMsMax: number, cause: TableLocked) => ({
  internal:
    `The database is not up to date: for ${totalMsMax} ms ${cause.message}. Nothing was left half done. ` +
    "End the long transaction, as a dump or a report (SELECT pid, application_name, xact_start, query FROM " +
    "pg_stat_activity WHERE xact_start IS NOT NULL ORDER BY xact_start), or wait for its end; then migrate again",
  cause,
});
