import {
  AggregationTemporality,
  InstrumentType,
  MetricReader,
  type CollectionResult,
} from "@opentelemetry/sdk-metrics";

/**
 * `chosen`, but for gauges that are read when asked. What a cumulative reading lacks the SDK fills from the one before, so
 * that a gauge that can't be read any more would show its last value for ever; as a difference it is left out. A gauge is
 * exported as its value either way.
 */
export const temporalityOf = (
  type: InstrumentType,
  chosen = AggregationTemporality.CUMULATIVE,
): AggregationTemporality =>
  type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : chosen;

/** Reads all metrics when asked; it keeps nothing between two readings that would have to be flushed or closed. */
export class ScrapeReader extends MetricReader {
  #reading: Promise<CollectionResult> | undefined;

  constructor() {
    super({ aggregationTemporalitySelector: (type) => temporalityOf(type) });
  }

  /** Concurrent callers share one reading: of two at a time, only one would be told the values. */
  override collect(options?: Parameters<MetricReader["collect"]>[0]): Promise<CollectionResult> {
    this.#reading ??= super.collect(options).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}
