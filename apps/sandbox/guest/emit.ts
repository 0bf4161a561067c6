import { budget, spend } from "./budget.ts";
import { leave, tellLosses } from "./json-leaving.ts";
import { stringifyJson } from "./primordials.ts";

/** Shows a value to whoever follows the run. Throws what JSON.stringify throws. */
export function emit(value: unknown): void {
  // A long text would be flattened for nothing: it is beyond the limit whatever it says.
  if (typeof value === "string" && value.length > budget.bytesLeft) spend("progress", value, "");
  else {
    const left = leave(value, "emitted", budget.bytesMax);
    const json = stringifyJson(left.value) ?? "null";
    spend("progress", json, "");
    tellLosses(left, json, "emitted");
  }
}
