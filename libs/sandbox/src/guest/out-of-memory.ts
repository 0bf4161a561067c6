import { getPrototypeOf, matchOf } from "./primordials.ts";

const rangeErrors = RangeError.prototype;
/**
 * A built-in's own message, told from a tool's error of the same text by the first frame, which is then a built-in's. A
 * tool that forges even that ends itself, and nobody else. Without frames the text decides.
 */
const REFUSED =
  /^RangeError: (?:Array buffer allocation failed|ArrayBuffer\.prototype\.resize: Out of memory)(?:\n\s+at [^\n]*\(<anonymous>\)(?:\n|$)|$)/;

/**
 * Whether this error is V8's refusal of memory for a buffer, which no heap limit ends the run for. Throws if its getters
 * throw.
 */
export function isRefusedMemory(error: unknown): boolean {
  if (typeof error !== "object" || error === null || getPrototypeOf(error) !== rangeErrors) return false;
  const { stack } = error as { stack?: unknown };
  return typeof stack === "string" && matchOf(REFUSED, stack) !== null;
}
