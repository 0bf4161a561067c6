export const STOP_REASONS = [
  "threw",
  "cpu",
  "wall",
  "memory",
  "result_too_large",
  "output_invalid",
  "crashed",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/**
 * The sandbox's own layers that can end a run: the guest's runtime, V8 (its heap limit or its timeout), or the process
 * around it. An end by the worker or the system is not reported by a sandbox.
 */
export const STOPPING_LAYERS = ["guest", "isolate", "process"] as const;
export type StoppingLayer = (typeof STOPPING_LAYERS)[number];
