import { monitorEventLoopDelay } from "node:perf_hooks";

/** How late the event loop was; each is left out until it has been looked at. */
export interface LoopDelay {
  /** Over the last 30 to 60 s, whoever has read it meanwhile: the median, the 99th percentile, the worst. */
  seconds(): Partial<Record<"p50" | "p99" | "max", number>>;
  close(): void;
}

/** How often the event loop is asked how late it is; milliseconds. */
const LOOP_EVERY_MS = 20;
/** How far back a reading goes at least, and half of how far at most; milliseconds. */
const TURN_EVERY_MS = 30_000;
const NANOSECONDS = 1e9;

/**
 * Measures the event loop twice at a time. Each measurement begins anew every 60 s, 30 s after the other, and the older one
 * is read: so a reading ends nothing, and no reader hides a stall from the next.
 */
export function openLoopDelay(): LoopDelay {
  const begin = () => monitorEventLoopDelay({ resolution: LOOP_EVERY_MS });
  let [older, younger] = [begin(), begin()];
  older.enable();
  younger.enable();
  const turn = (): void => {
    older.reset();
    [older, younger] = [younger, older];
  };
  const turning = setInterval(turn, TURN_EVERY_MS).unref();
  return {
    seconds: () =>
      older.count === 0
        ? {}
        : {
            p50: lateSeconds(older.percentile(50)),
            p99: lateSeconds(older.percentile(99)),
            max: lateSeconds(older.max),
          },
    close() {
      clearInterval(turning);
      older.disable();
      younger.disable();
    },
  };
}

/** Node measures the time between two looks, so the planned time between them is taken off. */
const lateSeconds = (nanoseconds: number): number =>
  Math.max(0, nanoseconds / NANOSECONDS - LOOP_EVERY_MS / 1_000);
