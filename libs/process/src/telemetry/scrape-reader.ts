import { MetricReader, type CollectionResult } from "@opentelemetry/sdk-metrics";
import { temporalityOf } from "./reading-temporality.ts";

/** Reads all metrics when asked; it keeps nothing between two readings that would have to be flushed or closed. */
export class ScrapeReader extends MetricReader {
  #reading: Promise<CollectionResult> | undefined;

  constructor() {
    super({ aggregationTemporalitySelector: (type) => temporalityOf(type) });
  }

  /** Who asks while a reading is under way is given that one: what two at a time read would be told by one of them alone. */
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
