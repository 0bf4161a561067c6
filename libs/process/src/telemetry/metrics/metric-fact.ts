/** The description of one metric. */
export interface MetricFact {
  type: "counter" | "gauge" | "histogram";
  /** Of the value; the name ends with it where it is not a plain number. */
  unit: "1" | "seconds" | "bytes";
  /** By key: all the values that there are, or what bounds them where they can't be listed here. */
  labels: Readonly<Record<string, readonly string[] | string>>;
  /** One sentence; it stands above the metric in a scrape too. */
  meaning: string;
  /** It names the process that exports the metric. */
  by: "api" | "worker" | "both";
  /** The file that counts it. */
  where: string;
  /** Upper bounds of a histogram's buckets, in its unit. */
  buckets?: readonly number[];
}

/** Steps inside one machine, from half a millisecond, up to the longest run. */
export const STEP_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
] as const;
/** Buckets for waits: of a caller, and in the queue. */
export const WAIT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;
