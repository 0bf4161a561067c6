import { budget, spend } from "./budget.ts";
import { warnOfLoss } from "./lost-in-json.ts";
import { stringifyJson } from "./primordials.ts";

/** Shows a value to whoever follows the run. Throws what JSON.stringify throws. */
export function emit(value: unknown): void {
  // A long text would be flattened for nothing: it is beyond the limit whatever it says.
  if (typeof value === "string" && value.length > budget.bytesLeft) spend("progress", value, "");
  else {
    const json = stringifyJson(value) ?? "null";
    spend("progress", json, "");
    warnOfLoss(value, json, "emitted");
  }
}
