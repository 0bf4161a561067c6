import { dateNow } from "./primordials.ts";
import { tagged } from "./tagged.ts";

/**
 * The run's clock, from about when the tool was called. It ticks in whole milliseconds, as every clock here: a finer one
 * would show a tool the traces of other code in this machine's shared caches. It never goes back.
 */
const timeOrigin = dateNow();
let last = 0;

function now(): number {
  const passed = dateNow() - timeOrigin;
  if (passed > last) last = passed;
  return last;
}

export const performance = tagged("Performance", {
  now,
  timeOrigin,
  toJSON: () => ({ timeOrigin }),
});
