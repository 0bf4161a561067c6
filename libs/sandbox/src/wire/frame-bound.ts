import { CAPABILITY_CONTENT_BYTES_MAX, FROM_SANDBOX_BYTES_MIN } from "./bounds.ts";

interface BoundedRun {
  limits: { resultBytes: number; logBytes: number; bytesOut: number };
  capabilities?: readonly string[];
}

/** The longest frame that a sandbox has a reason to send for this run: JSON in JSON at most doubles. */
export function fromSandboxBytesMax({ limits, capabilities }: BoundedRun): number {
  const { resultBytes, logBytes, bytesOut } = limits;
  const content = capabilities === undefined ? 0 : CAPABILITY_CONTENT_BYTES_MAX;
  return FROM_SANDBOX_BYTES_MIN + 2 * Math.max(resultBytes, logBytes, bytesOut, content);
}
