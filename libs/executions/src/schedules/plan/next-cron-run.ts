import type { CronPattern } from "./cron-pattern.ts";

/** A stretch of time in which a zone's clocks are not changed. */
interface Stretch {
  /** The wall clock's time less UTC's. */
  offsetMs: number;
  /** How far the wall was set back when the stretch began: so long it shows times that it has shown before. */
  repeatedMs: number;
  startMs: number;
  /** When the clocks are changed next. */
  endMs: number;
}

/** Changes of the clocks that are looked at for one run: at two a year, more than any pattern's longest pause. */
const STRETCHES_MAX = 64;

/**
 * The first run of a pattern behind a moment; null where there is none. Times that the wall never shows, since clocks are
 * set forward, come together at the moment of the change. Times that it shows twice are the first ones, unless the
 * pattern is hourly: then both.
 */
export function nextCronRun(pattern: CronPattern, timeZone: string, after: Date): Date | null {
  let stretch = stretchAt(timeZone, after.getTime());
  let wall = pattern.nextWallMs(Math.max(after.getTime() + stretch.offsetMs, lastRepeated(pattern, stretch)));
  for (let seen = 0; seen < STRETCHES_MAX && wall !== null; seen += 1) {
    if (wall - stretch.offsetMs < stretch.endMs) return new Date(wall - stretch.offsetMs);
    const { endMs, offsetMs } = stretch;
    stretch = stretchAt(timeZone, endMs);
    // Skipped: the wall goes from before this time to behind it.
    if (wall < endMs + stretch.offsetMs) return new Date(endMs);
    if (stretch.offsetMs < offsetMs && pattern.hourly)
      wall = pattern.nextWallMs(endMs + stretch.offsetMs - 1);
  }
  return null;
}

/** The last time of the wall that the stretch repeats, where that matters. */
const lastRepeated = (pattern: CronPattern, stretch: Stretch): number =>
  pattern.hourly || stretch.repeatedMs === 0
    ? Number.NEGATIVE_INFINITY
    : stretch.startMs + stretch.offsetMs + stretch.repeatedMs - 1;

function stretchAt(timeZone: string, ms: number): Stretch {
  const here = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const offsetMs = here.offsetNanoseconds / 1e6;
  const end = here.getTimeZoneTransition("next");
  // Of a moment at which clocks are changed, the stretch behind it.
  const start = here.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  const before = start?.subtract({ nanoseconds: 1 }).offsetNanoseconds ?? here.offsetNanoseconds;
  return {
    offsetMs,
    repeatedMs: Math.max(0, before / 1e6 - offsetMs),
    startMs: start?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    endMs: end?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
  };
}
