import type { SandboxLayer, SandboxLayerReport } from "@bulkhead/core";

/** The machine does not give a layer that the settings require; the message is for the operator. */
export class MissingLayersError extends Error {
  override readonly name = "MissingLayersError";

  constructor(missing: readonly SandboxLayerReport[]) {
    const lines = missing.map(({ layer, detail }) => `  ${layer}: ${detail}`);
    super(
      [
        "The sandbox lacks layers that SANDBOX_REQUIRE names:",
        ...lines,
        "Give the worker what they need (see the table in libs/sandbox/THREAT-MODEL.md), or take them off the list.",
      ].join("\n"),
    );
  }
}

/** Throws a MissingLayersError where a required layer is not in force. */
export function requireLayers(
  reports: readonly SandboxLayerReport[],
  required: readonly SandboxLayer[],
): void {
  const missing = reports.filter(({ layer, inForce }) => !inForce && required.includes(layer));
  if (missing.length > 0) throw new MissingLayersError(missing);
}
