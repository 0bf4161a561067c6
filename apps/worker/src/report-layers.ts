import type { SandboxLayerReport } from "@bulkhead/core";
import type { Logger } from "pino";

/** Logs the layers around sandboxes; missing ones are one warning line, with each reason. */
export function reportLayers(
  reports: readonly SandboxLayerReport[],
  logger: Pick<Logger, "info" | "warn">,
): void {
  const layers = reports.filter(({ inForce }) => inForce).map(({ layer }) => layer);
  const missing = reports.filter(({ inForce }) => !inForce);
  logger.info({ layers }, "the sandbox stands");
  if (missing.length === 0) return;
  const why = Object.fromEntries(missing.map(({ layer, detail }) => [layer, detail]));
  logger.warn({ missing: why }, `the sandbox lacks ${missing.length} of ${reports.length} layers`);
}
