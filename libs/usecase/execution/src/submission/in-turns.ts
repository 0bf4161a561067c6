import { setImmediate } from "node:timers/promises";

/** What is done at one time; everybody else's requests have their turn before the next so many. */
const AT_ONCE = 50;

/** Does something for each, in order, a part at a time: a long list must not hold up the process for others. */
export async function inTurns<T, R>(items: readonly T[], each: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    if (from > 0) await setImmediate();
    done.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(each))));
  }
  return done;
}
