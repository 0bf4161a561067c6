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
 * Which of the sandbox's own layers ended a run: the guest's runtime, V8 (its heap limit or its timeout), or the
 * process around it. What a worker or the system ended is not said by a sandbox.
 */
export const STOPPING_LAYERS = ["guest", "isolate", "process"] as const;
export type StoppingLayer = (typeof STOPPING_LAYERS)[number];
