import { budget, spend } from "./budget.ts";
import { leave, tellLosses, writeLeft } from "./json-leaving.ts";

/** Shows a value to whoever follows the run. Throws a TypeError for what JSON can't hold, and what the value's own getters throw. */
export function emit(value: unknown): void {
  // A long text would be flattened for nothing: it is beyond the limit whatever it says.
  if (typeof value === "string" && value.length > budget.bytesLeft) spend("progress", value, "");
  else {
    const left = leave(value, "emitted", budget.bytesMax);
    const json = writeLeft(left) ?? "null";
    spend("progress", json, "");
    tellLosses(left, json, "emitted");
  }
}
