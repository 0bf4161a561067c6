import { LINE_BYTES_MAX } from "./bounds.ts";
import { budget, cutTo, spend } from "./budget.ts";
import { lazily } from "./lazily.ts";
import { stringifyJson } from "./primordials.ts";

declare const require: (path: string) => unknown;

const formatting = lazily(() => require("./format.ts") as typeof import("./format.ts"));

const write =
  (level: string) =>
  (...values: unknown[]): void => {
    let line = "";
    for (let i = 0; i < values.length && line.length <= LINE_BYTES_MAX; i++) {
      line += (i > 0 ? " " : "") + formatting().format(values[i]);
    }
    spend("log", cutTo(LINE_BYTES_MAX, line), level);
  };

/** Each call is one line of the run's log. */
export const toolConsole = {
  log: write("info"),
  info: write("info"),
  warn: write("warn"),
  error: write("error"),
  debug: write("debug"),
};

/** Shows a value to whoever follows the run. Throws what JSON.stringify throws. */
export function emit(value: unknown): void {
  // A long text would be flattened for nothing: it is beyond the limit whatever it says.
  if (typeof value === "string" && value.length > budget.bytesLeft) spend("progress", value, "");
  else spend("progress", stringifyJson(value) ?? "null", "");
}
