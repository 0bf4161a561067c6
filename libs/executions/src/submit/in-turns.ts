import { setImmediate } from "node:timers/promises";

/** Items that are done between two looks at the clock. */
const AT_ONCE = 50;
/** For so long nobody else's requests have a turn; and for one more part. Milliseconds. */
const HELD_MS_MAX = 3;

export interface Turns {
  /** Awaited with each turn of others, for what is worth a longer pause than that. */
  pause?: () => Promise<void>;
  /** Fewer than usual where each asks something of another process. */
  atOnce?: number;
}

/**
 * Does something for each, in order, a part at a time: a long list must not hold up the process for others. It begins
 * with others' turn too, since much may have been done for the list before.
 */
export async function inTurns<T, R>(
  items: readonly T[],
  each: (item: T, place: number) => R | Promise<R>,
  { pause, atOnce = AT_ONCE }: Turns = {},
): Promise<R[]> {
  const done: R[] = [];
  let turnEndsAt = 0;
  for (let from = 0; from < items.length; from += atOnce) {
    if (items.length > atOnce && performance.now() >= turnEndsAt) {
      await setImmediate();
      await pause?.();
      turnEndsAt = performance.now() + HELD_MS_MAX;
    }
    const part = items.slice(from, from + atOnce);
    done.push(...(await Promise.all(part.map((item, place) => each(item, from + place)))));
  }
  return done;
}
