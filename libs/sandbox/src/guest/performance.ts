import { dateNow } from "./primordials.ts";
import { tagged } from "./tagged.ts";

/**
 * The run's clock, from about when the tool was called. It ticks in whole milliseconds, as every clock here: a finer one
 * tells a tool what other code on this machine does with the caches that they share. It never goes back.
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
