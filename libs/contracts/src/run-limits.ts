import { RUN_LIMITS_DEFAULT, RUN_LIMITS_MAX, RUN_LIMITS_MIN, type RunLimits } from "@bulkhead/core";
import { z } from "zod";

const limit = (name: keyof RunLimits, meaning: string) =>
  z
    .int()
    .min(RUN_LIMITS_MIN[name])
    .max(RUN_LIMITS_MAX[name])
    .describe(`${meaning} ${RUN_LIMITS_DEFAULT[name]} unless set.`);

/** The limits of one run. */
export const Limits = z.strictObject({
  cpuMs: limit("cpuMs", "Processor time of the sandbox process, in milliseconds."),
  wallMs: limit("wallMs", "Time from the start of the run, in milliseconds."),
  memoryMib: limit("memoryMib", "Heap, in MiB."),
  networkRequests: limit("networkRequests", "Requests to the outside; each redirect counts."),
  bytesIn: limit("bytesIn", "Bytes that all responses together may bring in, decompressed."),
  bytesOut: limit("bytesOut", "Bytes that all request bodies together may send out."),
  resultBytes: limit("resultBytes", "Bytes of the result as JSON."),
  logBytes: limit(
    "logBytes",
    "Bytes of all log lines and emitted values together; later ones are cut off with a warning.",
  ),
  nestedCalls: limit("nestedCalls", "Calls of other tools, built-in ones included."),
} satisfies Record<keyof RunLimits, z.ZodInt>);
