import { gaugeOf, histogramOf, type Meter } from "@bulkhead/process/telemetry";

/** One stream that is open. */
interface WatchedStream {
  /** An event was written; `at` is when it happened, where it says so. */
  wrote(at: string | undefined): void;
  closed(): void;
}

export interface StreamMetrics {
  opened(): WatchedStream;
}

/** Counts the streams of this process that are open, and measures how late their events are. */
export function streamMetrics(meter: Meter): StreamMetrics {
  const lag = histogramOf(meter, "bulkhead_stream_lag_seconds");
  let open = 0;
  gaugeOf(meter, "bulkhead_streams_open").addCallback((result) => result.observe(open));
  return {
    opened() {
      const openedAt = Date.now();
      open++;
      return {
        wrote(at) {
          const happenedAt = at === undefined ? Number.NaN : Date.parse(at);
          // An event from before the stream is late because its reader is.
          if (happenedAt >= openedAt) lag.record(Math.max(0, Date.now() - happenedAt) / 1_000);
        },
        closed: () => void open--,
      };
    },
  };
}
