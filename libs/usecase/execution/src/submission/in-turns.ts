import { setImmediate } from "node:timers/promises";

/** What is done between two looks at the clock. */
const AT_ONCE = 50;
/** For so long nobody else's requests have a turn; and for one more part. Milliseconds. */
const HELD_MS_MAX = 3;

/**
 * Does something for each, in order, a part at a time: a long list must not hold up the process for others. It begins
 * with others' turn too, since much may have been done for the list before.
 */
export async function inTurns<T, R>(
  items: readonly T[],
  each: (item: T, place: number) => R | Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  let turnEndsAt = 0;
  for (let from = 0; from < items.length; from += AT_ONCE) {
    if (items.length > AT_ONCE && performance.now() >= turnEndsAt) {
      await setImmediate();
      turnEndsAt = performance.now() + HELD_MS_MAX;
    }
    const part = items.slice(from, from + AT_ONCE);
    done.push(...(await Promise.all(part.map((item, place) => each(item, from + place)))));
  }
  return done;
}
