import { stringifyJson, type Execution } from "@bulkhead/core";
import { linksOf, presentExecution } from "../follow/present-execution.ts";

/** Bytes of one webhook's body. */
export const CALLBACK_BODY_BYTES_MAX = 256 * 1024;

/** Fields that may be as large as a tenant likes, in the order in which they are left out. */
const LARGE = ["result", "arguments", "error"] as const;

/**
 * The event of an execution's end as JSON, the same at every try. Where it would be too large, its largest fields are null
 * and named in `data.omitted`; `data.links.self` is where they can be read.
 */
export function eventBodyOf(ended: Execution): string {
  const omitted: string[] = [];
  for (const field of LARGE) {
    const body = write(ended, omitted);
    if (Buffer.byteLength(body) <= CALLBACK_BODY_BYTES_MAX) return body;
    omitted.push(field);
  }
  return write(ended, omitted);
}

function write(ended: Execution, omitted: readonly string[]): string {
  const { executionId, status, finishedAt } = ended;
  const left = omitted.length > 0 ? { omitted, links: linksOf(executionId) } : {};
  const nulls = Object.fromEntries(omitted.map((field) => [field, null]));
  const data = { ...presentExecution(ended), ...nulls, ...left };
  return stringifyJson({ type: `execution.${status}`, timestamp: finishedAt?.toISOString(), data });
}
