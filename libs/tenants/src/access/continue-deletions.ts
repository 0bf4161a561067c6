import {
  DELETION_KINDS,
  type ExecutionKey,
  type TenantDeletionStore,
  type TenantRemnants,
} from "@bulkhead/core";
import { setTimeout as pause } from "node:timers/promises";

export interface DeletionDeps {
  deletions: Omit<TenantDeletionStore, "begin" | "progress">;
  /** Ends it as cancelled, and stops its running attempt; does nothing if it has ended. */
  stopRun: (key: ExecutionKey) => Promise<void>;
  removeTrigger: (scheduleId: string) => Promise<void>;
  /** Closes the connections to the tenant's MCP servers, whichever process holds them. */
  dropServers: (tenantId: string) => Promise<void>;
  /** How much the queue still holds of the tenant; 0: nothing. */
  forgetQueue: (tenantId: string) => Promise<number>;
  remnants: TenantRemnants;
  /**
   * Time for requests that were accepted before to finish their writes; longer than a statement may take. Milliseconds.
   */
  graceMs: number;
  report: (what: string, error: unknown) => void;
}

/** A deletion that is held for so long is lost to its holder. Milliseconds. */
const LEASE_MS = 120_000;
/** One tenant's turn; then it is another one's. Milliseconds. */
const TURN_MS_MAX = 10_000;
/** When one that waits for something, or failed, is looked at again. Milliseconds. */
const AGAIN_MS = 1_000;
/** Executions that are stopped in one step, and of them at a time. */
const OPEN_AT_ONCE = 100;
const STOPPED_ABREAST = 10;

/**
 * Goes on with the deletion of tenants, each in its turn, until none is due or `signal` asks to stop. Every step works on
 * the present rows and remembers nothing: after a kill between two steps another worker goes on. Several workers may run
 * it at once.
 */
export async function continueDeletions(deps: DeletionDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const claimed = await deps.deletions.claim(LEASE_MS);
    if (claimed === null) return;
    const { tenantId } = claimed;
    try {
      const dueInMs = await goOn(deps, claimed, signal);
      if (dueInMs !== null) await deps.deletions.release(tenantId, dueInMs);
    } catch (error) {
      deps.report("deleting a tenant failed; it is tried again", error);
      await deps.deletions.release(tenantId, AGAIN_MS);
    }
  }
}

type Claimed = NonNullable<Awaited<ReturnType<TenantDeletionStore["claim"]>>>;

/** In how many milliseconds it is due again; null: the tenant is gone. */
async function goOn(
  deps: DeletionDeps,
  { tenantId, agedMs }: Claimed,
  signal: AbortSignal,
): Promise<number | null> {
  const until = performance.now() + TURN_MS_MAX;
  for (const step of stepsOf(deps, tenantId)) {
    let began = performance.now();
    while ((await step()) > 0) {
      if (performance.now() >= until) return 0;
      // As long as it took: so it never has more than half of a connection of the database.
      await pause(performance.now() - began, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return 0;
      began = performance.now();
    }
  }
  if (agedMs < deps.graceMs) return Math.min(AGAIN_MS, deps.graceMs - agedMs);
  if ((await deps.forgetQueue(tenantId)) > 0) return AGAIN_MS;
  await deps.remnants.clear(tenantId, signal);
  if (signal.aborted) return 0;
  return (await deps.deletions.finish(tenantId)) ? null : AGAIN_MS;
}

/** Each answers how much it saw to; 0: nothing is left for it. */
function* stepsOf(deps: DeletionDeps, tenantId: string): Generator<() => Promise<number>, void, undefined> {
  yield () => stopRuns(deps, tenantId);
  // Their rows tell which there are, so this comes before the rows go.
  yield async () => {
    await deps.dropServers(tenantId);
    return 0;
  };
  for (const kind of DELETION_KINDS) {
    if (kind === "schedules") yield () => dropSchedules(deps, tenantId);
    else yield () => deps.deletions.drop(tenantId, kind);
  }
}

async function stopRuns({ deletions, stopRun }: DeletionDeps, tenantId: string): Promise<number> {
  const open = await deletions.listOpen(tenantId, OPEN_AT_ONCE);
  const left = open.values();
  const lane = async (): Promise<void> => {
    for (const key of left) await stopRun(key);
  };
  await Promise.all(Array.from({ length: STOPPED_ABREAST }, lane));
  return open.length;
}

/** Rows first: of one that is killed in between, the workers' reconciler removes the triggers that have no schedule any more. */
async function dropSchedules({ deletions, removeTrigger }: DeletionDeps, tenantId: string): Promise<number> {
  const gone = await deletions.dropSchedules(tenantId);
  for (const id of gone) await removeTrigger(id);
  return gone.length;
}
