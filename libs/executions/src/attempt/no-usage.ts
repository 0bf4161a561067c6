import type { Usage } from "@bulkhead/core";

/** Of what did not run. */
export const NO_USAGE: Usage = { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, networkRequests: 0 };
