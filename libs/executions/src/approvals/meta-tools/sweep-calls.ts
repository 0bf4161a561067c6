import type { MetaToolApprovalStore } from "@bulkhead/core";
import { tellAnswered, type AnswerCallDeps } from "./answer-call.ts";
import { doAllowed, type DoDeps } from "./do-allowed.ts";

export type SweepCallsDeps = DoDeps &
  Pick<AnswerCallDeps, "tenantEvents"> & {
    metaToolApprovals: Pick<MetaToolApprovalStore, "expireOverdue" | "listUndone" | "dropOld">;
  };

/** Calls that one sweep ends, does and forgets, each. */
const SWEPT_MAX = 100;
/** A call that was just allowed is left to the API that allowed it for so long. Milliseconds. */
const UNDONE_MS = 5_000;
/** An answered call and its outcome can be read for so long. */
const KEPT_DAYS = 30;

/** Answers the calls that nobody answered in time, does those that were allowed and left undone, and forgets old ones. */
export async function sweepCalls(deps: SweepCallsDeps): Promise<void> {
  for (const call of await deps.metaToolApprovals.expireOverdue(SWEPT_MAX))
    await tellAnswered(deps, call, { answer: "expire", by: "" });
  for (const key of await deps.metaToolApprovals.listUndone(UNDONE_MS, SWEPT_MAX))
    await doAllowed(deps, key).catch((error: unknown) =>
      deps.report("doing a meta-tool's call that was allowed failed", error),
    );
  await deps.metaToolApprovals.dropOld(KEPT_DAYS, SWEPT_MAX);
}
