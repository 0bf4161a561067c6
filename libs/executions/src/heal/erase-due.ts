import type { DueErasure, ErasureStore, EventStream } from "@bulkhead/core";
import type { Report } from "../end/report.ts";

export interface EraseDueDeps {
  erasures: Pick<ErasureStore, "claimDue" | "erase">;
  stream: Pick<EventStream, "erase">;
  report: Report;
}

/** A claim of a part lapses after so long; a part that is still needed is looked at again then. Milliseconds. */
const LEASE_MS = 30_000;
/** Parts of one round, and of one tenant. */
const COUNT_MAX = 256;
const TENANT_MAX = 64;

/**
 * Erases what is not kept any longer of ended executions, in rounds over the tenants until nothing is due or `signal` asks to
 * stop: first from their streams, which hold what the rows hold, then from the rows. Several workers may do so at once. Rejects
 * when the database is away; what Redis refuses is reported and tried again.
 */
export async function eraseDue(deps: EraseDueDeps, signal: AbortSignal): Promise<void> {
  const bounds = { countMax: COUNT_MAX, tenantMax: TENANT_MAX, leaseMs: LEASE_MS };
  let after: string | null = null;
  let claimedInPass = 0;
  let isSound = true;
  while (!signal.aborted) {
    const { claimed, next } = await deps.erasures.claimDue({ after, ...bounds });
    if (!(await eraseAll(deps, claimed))) isSound = false;
    claimedInPass += claimed.length;
    if (next === null && (claimedInPass === 0 || !isSound)) return;
    if (next === null) claimedInPass = 0;
    after = next;
  }
}

/** False where a stream could not be reached: then others can't be either, so this is the turn's last pass. */
async function eraseAll(deps: EraseDueDeps, claimed: readonly DueErasure[]): Promise<boolean> {
  const parts = claimed.filter(({ isNeeded }) => !isNeeded);
  const executions = [...Map.groupBy(parts, ({ executionId }) => executionId).values()];
  // One connection takes them one behind the other in any case.
  const outcomes = await Promise.allSettled(
    executions.map(async ([first]) => first && (await deps.stream.erase(first))),
  );
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) deps.report("erasing streams failed; they are tried again", failed.reason);
  await deps.erasures.erase(executions.filter((_, place) => outcomes[place]?.status === "fulfilled").flat());
  return failed === undefined;
}
