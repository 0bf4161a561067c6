import { FROM_SANDBOX_BYTES_MIN } from "./bounds.ts";

/** The longest frame that a sandbox under these limits has a reason to send: JSON in JSON at most doubles. */
export const fromSandboxBytesMax = (limits: {
  resultBytes: number;
  logBytes: number;
  bytesOut: number;
}): number => FROM_SANDBOX_BYTES_MIN + 2 * Math.max(limits.resultBytes, limits.logBytes, limits.bytesOut);
