import { shownAs, TenantLoad } from "@bulkhead/contracts";
import type { TenantLoad as Load } from "@bulkhead/core";

/** How busy a tenant is, as it is told. */
export const showLoad = (load: Load) =>
  shownAs(TenantLoad, load, {
    throttledUntil: load.throttledUntil?.toISOString() ?? null,
    predictedWaitMs: load.predictedWaitMs,
  });
