import {
  CAPABILITY_PERMISSIONS,
  type CapabilityFamilies,
  type EngineFact,
  isCapability,
} from "@bulkhead/core";

/** What this worker was opened with of what tools may ask for. */
export const workerEngines = (capabilities: CapabilityFamilies): EngineFact[] =>
  Object.keys(CAPABILITY_PERMISSIONS)
    .filter(isCapability)
    .map((engine) => {
      const available = capabilities[engine] !== undefined;
      return { engine, available, detail: available ? "" : "This worker was started without it." };
    });
