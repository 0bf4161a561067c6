import { budget, spend } from "./budget.ts";
import { leave, tellLosses, writeLeft } from "./json-leaving.ts";

/**
 * Sends a value to the run's followers. Throws a TypeError for values that JSON can't hold, and the errors of the value's
 * own getters.
 */
export function emit(value: unknown): void {
  // A long text would be flattened for nothing: it exceeds the limit in any case.
  if (typeof value === "string" && value.length > budget.bytesLeft) spend("progress", value, "");
  else {
    const left = leave(value, "emitted", budget.bytesMax);
    const json = writeLeft(left) ?? "null";
    spend("progress", json, "");
    tellLosses(left, json, "emitted");
  }
}
