/**
 * The layers that may surround a sandbox process besides the isolate inside it, by the names that settings and the API
 * use.
 */
export const SANDBOX_LAYERS = [
  "environment",
  "no_new_privileges",
  "capabilities",
  "own_uid",
  "network_namespace",
  "resource_limits",
  "memory_cgroup",
  "oom_score",
  "permission_model",
  "landlock",
] as const;

export type SandboxLayer = (typeof SANDBOX_LAYERS)[number];

export const isSandboxLayer = (name: string): name is SandboxLayer =>
  (SANDBOX_LAYERS as readonly string[]).includes(name);

/** One layer as it was found on a running sandbox process; `detail` has the evidence, or why the layer is missing. */
export interface SandboxLayerReport {
  layer: SandboxLayer;
  inForce: boolean;
  detail: string;
}
